//! Pages of any size, made from a seed: as many events as real recordings have (the thesis counts 3,742 on average),
//! most of which have nothing to do with each other.

use super::fixtures::write::*;

/// A page of about this many events, of which about one in a hundred touches something that another one touches.
pub fn synthetic_page(events: usize, seed: u64) -> Program {
    let mut random = Random(seed);
    let mut program = page().done();
    let steps = (events / 80).max(1);
    let firsts = events - steps;
    for index in 0..firsts {
        let name = format!("f{index}");
        let mut body: Vec<Operation> = (0..10).map(|k| set(global(&format!("own {index} {k}")), 1)).collect();
        body.extend(
            (0..10).map(|_| when(truthy(get(global(&format!("setting {}", random.below(50))))), vec![], vec![])),
        );
        if random.below(100) == 0 {
            let place = children(&format!("#list{}", random.below(4)));
            body.push(Operation::Push(place, name.as_str().into()));
        }
        // A quarter of the events is registered by another one.
        let latency = 1 + random.below(5_000);
        let register = match index % 8 {
            0 => timer(latency, &name),
            1..4 => fetch(format!("/data/{index}").as_str(), latency, &name),
            _ => image(&format!("{index}.png"), latency, &name, ""),
        };
        let creator = format!("f{}", random.below(index.max(1) as u64));
        match program.functions.get_mut(&creator).filter(|_| index % 4 == 0) {
            Some(creator) => creator.body.push(register),
            None => program.start.push(register),
        }
        program.functions.insert(name, function("app.js", 100 * index as u32 + 1, body));
    }
    for index in 0..steps {
        let target = format!("#button{index}");
        let name = format!("s{index}");
        program.start.push(listen(&target, "click", &name));
        let list = children(&format!("#list{}", random.below(40)));
        program
            .functions
            .insert(name, function("page.html", 10 * index as u32 + 1, vec![set(text("#status"), get(list))]));
        let at = (index as u64 + 1) * 60;
        program.steps.push(SimulatedStep { at, action: "click".into(), target, types: None, in_chunk: 0 });
    }
    program
}

/// A linear congruential generator: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
