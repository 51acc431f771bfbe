//! `colobus explore` beside gremlins.js and Bombadil, with the same time on the same pages: lines that ran, bugs that showed, actions a
//! second. `cargo bench --bench explore -- shop` compares on one page; `COLOBUS_RUNS=1` runs less often than five times.

#[path = "../../tests/all/explore/site.rs"]
#[expect(dead_code, reason = "only the pages with bugs are compared on")]
mod site;
mod tool;

use std::time::{Duration, Instant};

use site::{Site, Twin};
use tool::{Reached, bombadil, explore, gremlins};

/// Pages, the paths of their server that are learned, and sequences that are explored.
const SUBJECTS: [(&str, &[&str], &str); 3] = [
    ("shop.html", &[], "40"),
    (
        "resume.html",
        &["/api/applications", "/api/applications/a17", "/api/applications/b23", "/api/applications/c31"],
        "40",
    ),
    (
        "files.html",
        &["/api/folders/root", "/api/folders/l1_t", "/api/folders/l1_p", "/api/folders/l2_l", "/api/folders/l2_r"],
        "12",
    ),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let runs = std::env::var("COLOBUS_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(5);
    println!(
        "| page | tool | time | lines (median of {runs}) | bugs in each run | actions (explore: sequences) a second |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for (page, paths, budget) in SUBJECTS {
        if wanted.is_empty() || wanted.iter().any(|word| page.contains(word.as_str())) {
            compare(page, paths, budget, runs);
        }
    }
}

fn compare(page: &str, paths: &[&str], budget: &str, runs: u64) {
    let mut rows: Vec<(&str, Vec<Reached>, Vec<Duration>)> = vec![
        ("colobus explore", Vec::new(), Vec::new()),
        ("colobus explore --server", Vec::new(), Vec::new()),
        ("gremlins.js", Vec::new(), Vec::new()),
        ("Bombadil", Vec::new(), Vec::new()),
    ];
    for seed in 0..runs {
        let mut time = Duration::ZERO;
        for (tool, reached, times) in &mut rows {
            // A page that is attacked may leave something on its server.
            let site = Site::start(Twin::Bug);
            let url = format!("{}/{page}", site.url);
            let begun = Instant::now();
            let found = match *tool {
                "colobus explore" => explore(&site, page, &[], budget, seed),
                "colobus explore --server" if paths.is_empty() => continue,
                "colobus explore --server" => explore(&site, page, paths, budget, seed),
                "gremlins.js" => gremlins(&url, time, seed),
                _ => bombadil(&url, time),
            };
            // The others get as much time as the longest exploration took.
            if tool.starts_with("colobus") {
                time = time.max(begun.elapsed());
                times.push(begun.elapsed());
            } else {
                assert!(found.actions > 0, "{tool} did nothing on {page}");
                times.push(time);
            }
            reached.push(found);
        }
    }
    for (tool, reached, times) in rows.iter().filter(|(_, reached, _)| !reached.is_empty()) {
        let median = |mut numbers: Vec<usize>| {
            numbers.sort_unstable();
            numbers[numbers.len() / 2]
        };
        let seconds: f64 = times.iter().map(Duration::as_secs_f64).sum();
        let actions: usize = reached.iter().map(|reached| reached.actions).sum();
        #[expect(clippy::cast_precision_loss, reason = "a few thousand actions")]
        let rate = actions as f64 / seconds.max(0.001);
        let lines = median(reached.iter().map(|reached| reached.lines).collect());
        let bugs: Vec<String> = reached.iter().map(|reached| reached.bugs.to_string()).collect();
        let time = seconds / f64::from(u32::try_from(times.len()).unwrap_or(1));
        println!("| {page} | {tool} | {time:.0} s | {lines} | {} | {rate:.1} |", bugs.join(", "));
    }
}
