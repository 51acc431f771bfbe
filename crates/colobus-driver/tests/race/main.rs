//! Races of small pages in a real browser: every fixture has a truth and a repaired twin.

mod server;

use colobus_driver::{RaceBrowser, RaceOptions};
use colobus_model::{Step, Target, Viewport};
use colobus_race::explore::{Next, Search, Settings};
use colobus_race::recorded::UserStep;
use colobus_race::verdict::Judge;
use colobus_world::RacePage;
use server::Site;

fn click(selector: &str, at: u64) -> UserStep {
    UserStep::new(Step::Click(Target::Selector(selector.into())), at)
}

fn options(url: String, steps: Option<Vec<UserStep>>) -> RaceOptions {
    RaceOptions { url, viewport: Viewport { width: 800, height: 600 }, seed: 1, steps, browser: None, headed: false }
}

#[test]
fn first() {
    let server = Site::page(include_str!("pages/slide-show.html"))
        .image("/image1.png", 0)
        .image("/image2.png", 100)
        .image("/image3.png", 350)
        .serve();
    let started = std::time::Instant::now();
    let mut page =
        RaceBrowser::open(options(server.url(), Some(vec![click("button", 300), click("button", 400)]))).unwrap();
    let recorded = page.record().unwrap();
    println!(
        "{:?} recorded {:#?}",
        started.elapsed(),
        recorded.execution.ran.iter().map(|e| (e.event.name.to_string(), e.at)).collect::<Vec<_>>()
    );
    println!("{}", recorded.execution.outcome.dom);
    let order = recorded.execution.order();
    let instrumented = page.run(&recorded, &order).unwrap();
    println!("{:?} {:?} notes {:?}", started.elapsed(), instrumented.order(), instrumented.notes);
    for e in &instrumented.ran {
        println!("  {} needs {:?} opaque {:?}", e.event.name, e.event.needs, e.opaque);
        for a in &e.accesses {
            println!(
                "     {:?} {} {:?} {}",
                a.kind,
                a.place,
                a.value.is_some(),
                a.site.as_ref().map(|s| s.to_string()).unwrap_or_default()
            );
        }
    }
    println!("{}", instrumented.outcome.dom);
    let mut search = Search::new(instrumented, Settings::within(3));
    println!("{:?}", search.tally());
    let judge = Judge::default();
    while let Next::Run(plan) = search.next_plan() {
        let order = plan.order.clone();
        let result = page.run(&recorded, &order).map_err(|e| e.to_string());
        for explored in search.tell(plan.key, result) {
            let r = explored.plan.reversals.last().unwrap();
            let j = judge.judge_explored(&explored);
            println!(
                "{:?} {} / {} -> {:?} {:?}",
                started.elapsed(),
                r.first,
                r.second,
                j.as_ref().map(|j| &j.outcome),
                j.as_ref().map(|j| &j.labels)
            );
            if let colobus_race::explore::Status::Failed { reason } = &explored.status {
                println!("   FAILED {reason}");
            }
        }
    }
    println!("{:?} {:?}", started.elapsed(), search.tally());
}
