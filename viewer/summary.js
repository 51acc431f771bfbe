// The head of the page: the verdict, the figures, the way from sequences to root causes, and what else is worth knowing.

function summary({ report }) {
  return element(
    "section",
    { class: "summary", "aria-labelledby": "verdict" },
    element("p", { class: "application" }, foreign(report.application)),
    verdict(report),
    element("p", { class: "lead" }, lead(report)),
    report.stopped
      ? element("p", { class: "notice" }, element("strong", {}, "The search is not complete. "), foreign(report.stopped))
      : null,
    doubts(report),
    tiles(report),
    accounts(report),
    exercised(report),
    report.lines ? null : funnel(report),
    facts(report),
  );
}

function verdict(report) {
  if (report.lines) return linesVerdict(report);
  const found = report.root_causes.length;
  const [tone, text] = found
    ? ["bad", `${counted(found, "cause")} found`]
    : report.stopped || report.doubts.length
      ? ["doubt", report.stopped ? "Nothing found so far" : "Nothing found, but in doubt"]
      : ["good", "Nothing found"];
  return element("h1", { id: "verdict", class: `verdict ${tone}` }, text);
}

/** How many lines were reached; good if every answer is the expected one. */
function linesVerdict({ lines, counts }) {
  const reached = lines.answers.filter((answer) => answer.reached).length;
  const complete = lines.answers.length === counts.interactions.planned;
  const tone = lines.answers.some((answer) => !answer.as_expected) ? "bad" : complete ? "good" : "doubt";
  return element("h1", { id: "verdict", class: `verdict ${tone}` }, `${grouped(reached)} of ${counted(counts.interactions.planned, "line")} reached`);
}

/** Why a search that found nothing must not be trusted. */
function doubts({ doubts }) {
  if (!doubts.length) return null;
  return element("div", { class: "notice" }, element("strong", {}, "In doubt:"), element("ul", {}, doubts.map((doubt) => element("li", {}, foreign(doubt)))));
}

/** What the cases of each search are. */
const NOUNS = { interactions: "interaction", mistakes: "mistake", events: "sequence", orders: "order", lines: "line" };
const nounOf = ({ search }) => NOUNS[search];

const ran = (tally) => tally.judged + tally.not_applicable + tally.unknown;

/** What became of everything that was planned, and where actions did not apply. */
function accounts(report) {
  const { counts, not_applicable } = report;
  const noun = nounOf(report);
  const row = (name, tally) => element("tr", {}, element("th", { scope: "row" }, name), ["planned", "judged", "not_applicable", "unknown", "not_run"].map((key) => element("td", {}, grouped(tally[key]))));
  const heads = ["", "Planned", "Judged", "Not applicable", "Unknown", "Not run"].map((head) => element("th", { scope: "col" }, head));
  const gap = ({ action, sequences, interactions, reason }) => element("li", {}, foreign(action), `: ${counted(sequences + interactions, "case")}: `, foreign(reason));
  return element(
    "section",
    { class: "panel wide", "aria-labelledby": "accounts" },
    element("h2", { id: "accounts" }, "What became of the plan"),
    element("table", { class: "accounts" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, counts.sequences.planned ? row("Sequences", counts.sequences) : null, row(`${noun[0].toUpperCase()}${noun.slice(1)}s`, counts.interactions))),
    not_applicable.length ? element("details", {}, element("summary", {}, `${counted(not_applicable.length, "action")} did not apply everywhere`), element("ul", {}, not_applicable.map(gap))) : null,
  );
}

/** What every action really did: whether it changed the page, sent messages, and whether others received any. */
function exercised({ exercised, unexercised }) {
  if (!exercised) return null;
  const heads = ["Action", "Changed the page", "With other users", "Sent messages", "Others received some", "Before they acted"].map((head) => element("th", { scope: "col" }, head));
  const row = (done) => element("tr", {}, element("th", { scope: "row" }, foreign(done.action)), [done.changed, done.together, done.sent, done.reached, done.reached_first].map((count) => element("td", {}, count === null ? "not looked at" : grouped(count))));
  const property = ({ name, states, interactions }) => element("li", {}, foreign(name), states + interactions ? `: held in ${counted(states, "state")} of phase 1 and in ${counted(interactions, "interaction")}` : ": never held");
  const sometimes = exercised.sometimes || [];
  return element(
    "section",
    { class: "panel wide", "aria-labelledby": "exercised" },
    element("h2", { id: "exercised" }, "What was exercised"),
    element("p", { class: "aside" }, `In ${counted(exercised.crossed, "interaction")} messages of two users crossed.`),
    (unexercised || []).length ? element("ul", {}, unexercised.map((gap) => element("li", {}, foreign(gap)))) : null,
    element("details", {}, element("summary", {}, "By action"), element("table", { class: "accounts" }, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, exercised.actions.map(row)))),
    sometimes.length ? [element("h3", {}, "Sometimes"), element("ul", {}, sometimes.map(property))] : null,
  );
}

function lead(report) {
  const { counts, exploration } = report;
  const count = ran(counts.interactions);
  if (report.lines) return `${counted(count, "line")} searched for on a page with ${counted(report.lines.states, "state")} and ${counted(report.lines.events, "event")}; ${grouped(report.lines.answers.filter((answer) => answer.reached).length)} reached.`;
  if (exploration) return `${counted(count, "sequence")} of events were run on a page with ${counted(exploration.states, "state")}; ${grouped(exploration.lines_covered)} of ${counted(exploration.lines, "line")} of its scripts ran. ${counts.failures ? `In ${grouped(counts.failures)} of the sequences something went wrong.` : "Nothing went wrong."}`;
  if (report.search === "mistakes") return `${counted(count, "mistake")} made in a recorded session. ${counts.failures ? `After ${grouped(counts.failures)} of them the application did something wrong.` : "The application put up with all of them."}`;
  if (report.search === "orders") return `${counted(count, "order")} of the page's events executed; ${counted(counts.potential_conflicts, "pair")} of the recording conflict. ${report.explored}.`;
  const scope = `${counted(count, "interaction")} of ${counted(report.clients, "client")}, built from ${counted(report.actions.length, "action")} up to depth ${report.depth}`;
  if (report.root_causes.length) return `${scope}, were run. In ${grouped(counts.failures)} of them the application failed.`;
  const unknown = counts.interactions.unknown ? ` Of ${grouped(counts.interactions.unknown)} nothing can be said.` : "";
  return `${scope}, were run, and no check failed.${unknown}`;
}

function tiles(report) {
  const { counts, timing, root_causes } = report;
  const total = timing.phase1_s + timing.phase2_s + timing.reduce_s;
  const saved = counts.potential_conflicts > 0 && counts.naive > 0 ? counts.naive / counts.potential_conflicts : 0;
  const list = [
    ...(report.lines ? [["Reached", grouped(counts.findings), "good"]] : [["Causes", grouped(root_causes.length), root_causes.length ? "bad" : "good"], ["Findings", grouped(counts.findings), ""]]),
    ["Judged", grouped(counts.interactions.judged), ""],
    ["Time", spoken(total), ""],
    [`Per ${nounOf(report)}`, `${Math.round(timing.interaction_ms_median)} ms`, ""],
    saved > 1 && counts.sequences.planned > 0 ? ["Fewer than naive", `${saved.toFixed(1)} ×`, ""] : null,
    counts.interactions.unknown ? ["Unknown", grouped(counts.interactions.unknown), "doubt"] : null,
  ];
  const tile = ([name, figure, tone]) =>
    element("div", { class: `tile ${tone}` }, element("dt", {}, name), element("dd", {}, figure));
  return element("dl", { class: "tiles" }, list.filter(Boolean).map(tile));
}

/** Every stage of the search as a bar. Bars are logarithmic: a search starts with thousands and ends with a handful. */
function funnel({ counts, explored: orders }) {
  const explored = counts.sequences.planned > 0;
  const stages = [
    explored && ["Sequences", counts.sequences.judged, "of full length, run by one client"],
    explored && ["Source states", counts.source_states, "in which actions were tried"],
    explored && ["Classes", counts.equivalence_classes, "of states that look the same"],
    explored && ["Conflicts", counts.potential_conflicts, "of actions that touch the same place"],
    orders ? ["Orders", ran(counts.interactions), "of the page's events executed"] : ["Interactions", ran(counts.interactions), "run by all clients at once"],
    ["Failures", counts.failures, "that a check reported"],
    ["Findings", counts.findings, "that came back"],
    ["Causes", counts.root_causes, "same condition, same kind of difference"],
  ].filter(Boolean);
  const most = Math.log1p(Math.max(1, ...stages.map(([, count]) => count)));
  const row = ([name, count, meaning]) =>
    element(
      "li",
      {},
      element("span", { class: "stage" }, name),
      element("span", { class: "figure" }, grouped(count)),
      element("span", { class: "track" }, placed(element("span", { class: "fill" }), { "--share": Math.log1p(count) / most })),
      element("span", { class: "meaning" }, meaning),
    );
  return element(
    "section",
    { class: "panel", "aria-labelledby": "funnel" },
    element("h2", { id: "funnel" }, "From sequences to causes"),
    element("ol", { class: "funnel" }, stages.map(row)),
    explored && counts.naive
      ? element("p", { class: "aside" }, `Bars are logarithmic. A search without phase 1 would have ${grouped(counts.naive)} interactions to run.`)
      : element("p", { class: "aside" }, "Bars are logarithmic."),
  );
}

function facts(report) {
  const { timing, counts } = report;
  // Only concurrent actions are searched in two phases.
  const hasPhases = report.actions.length > 0;
  const list = [
    ["Browser", foreign(report.browser)],
    ["Seed", report.lines ? null : element("code", {}, String(report.seed))],
    ["Shard", report.shard ? `${report.shard[0]} of ${report.shard[1]}` : null],
    ["Phase 1", !hasPhases ? null : counts.sequences.planned ? `${spoken(timing.phase1_s)}${timing.phase1_reused ? ", from an earlier run" : ""}` : "left out"],
    [hasPhases ? "Phase 2" : "Search", spoken(timing.phase2_s)],
    ["Reduction", timing.reduce_s ? spoken(timing.reduce_s) : null],
    ["Executions", counts.executions ? grouped(counts.executions) : null],
    ["Browser restarts", counts.restarts ? grouped(counts.restarts) : null],
  ].filter(([, value]) => value !== null);
  return element(
    "section",
    { class: "panel", "aria-labelledby": "facts" },
    element("h2", { id: "facts" }, "The run"),
    element("dl", { class: "facts" }, list.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
    hasPhases
      ? element(
          "details",
          { class: "actions" },
          element("summary", {}, counted(report.actions.length, "action")),
          element("ul", { class: "chips" }, report.actions.map((name) => element("li", {}, foreign(name)))),
        )
      : null,
    report.notes.length
      ? [element("h3", {}, "Notes"), element("ul", { class: "notes" }, report.notes.map((note) => element("li", {}, foreign(note))))]
      : null,
  );
}
