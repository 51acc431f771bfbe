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
    tiles(report),
    funnel(report),
    facts(report),
  );
}

function verdict(report) {
  const found = report.root_causes.length;
  const [tone, text] = found
    ? ["bad", `${counted(found, "root cause")} found`]
    : report.stopped
      ? ["doubt", "Nothing found so far"]
      : ["good", "Nothing found"];
  return element("h1", { id: "verdict", class: `verdict ${tone}` }, text);
}

function lead(report) {
  const { counts } = report;
  if (report.recording) return `${counted(counts.interactions, "mistake")} made in a recorded session. ${counts.failures ? `After ${grouped(counts.failures)} of them the application did something wrong.` : "The application put up with all of them."}`;
  const scope = `${counted(counts.interactions, "interaction")} of ${counted(report.clients, "client")}, built from ${counted(report.actions.length, "action")} up to depth ${report.depth}`;
  if (report.root_causes.length) return `${scope}, were run. In ${grouped(counts.failures)} of them the application failed.`;
  const unknown = counts.unknown ? ` Of ${grouped(counts.unknown)} nothing can be said.` : "";
  return `${scope}, were run, and no check failed.${unknown}`;
}

function tiles({ counts, timing, root_causes }) {
  const total = timing.phase1_s + timing.phase2_s + timing.reduce_s;
  const saved = counts.potential_conflicts > 0 && counts.naive > 0 ? counts.naive / counts.potential_conflicts : 0;
  const list = [
    ["Root causes", grouped(root_causes.length), root_causes.length ? "bad" : "good"],
    ["Findings", grouped(counts.findings), ""],
    ["Interactions", grouped(counts.interactions), ""],
    ["Time", spoken(total), ""],
    ["Per interaction", `${Math.round(timing.interaction_ms_median)} ms`, ""],
    saved > 1 && counts.sequences > 0 ? ["Fewer than naive", `${saved.toFixed(1)} ×`, ""] : null,
    counts.unknown ? ["Unknown", grouped(counts.unknown), "doubt"] : null,
  ];
  const tile = ([name, figure, tone]) =>
    element("div", { class: `tile ${tone}` }, element("dt", {}, name), element("dd", {}, figure));
  return element("dl", { class: "tiles" }, list.filter(Boolean).map(tile));
}

/** Every stage of the search as a bar. Bars are logarithmic: a search starts with thousands and ends with a handful. */
function funnel({ counts }) {
  const explored = counts.sequences > 0;
  const stages = [
    explored && ["Sequences", counts.sequences, "of full length, run by one client"],
    explored && ["Source states", counts.source_states, "in which actions were tried"],
    explored && ["Classes", counts.equivalence_classes, "of states that look the same"],
    explored && ["Conflicts", counts.potential_conflicts, "of actions that touch the same place"],
    ["Interactions", counts.interactions, "run by all clients at once"],
    ["Failures", counts.failures, "that a check reported"],
    ["Findings", counts.findings, "after reduction"],
    ["Root causes", counts.root_causes, "same actions, same kind of difference"],
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
    element("h2", { id: "funnel" }, "From sequences to root causes"),
    element("ol", { class: "funnel" }, stages.map(row)),
    explored && counts.naive
      ? element("p", { class: "aside" }, `Bars are logarithmic. A search without phase 1 would have ${grouped(counts.naive)} interactions to run.`)
      : element("p", { class: "aside" }, "Bars are logarithmic."),
  );
}

function facts(report) {
  const { timing, counts } = report;
  const list = [
    ["Browser", foreign(report.browser)],
    ["Seed", element("code", {}, String(report.seed))],
    ["Shard", report.shard ? `${report.shard[0]} of ${report.shard[1]}` : null],
    ["Phase 1", counts.sequences ? `${spoken(timing.phase1_s)}${timing.phase1_reused ? ", from an earlier run" : ""}` : "left out"],
    ["Phase 2", spoken(timing.phase2_s)],
    ["Reduction", timing.reduce_s ? spoken(timing.reduce_s) : null],
    ["Executions", counts.executions ? grouped(counts.executions) : null],
    ["Browser restarts", counts.restarts ? grouped(counts.restarts) : null],
    ["Not applicable", counts.not_applicable ? counted(counts.not_applicable, "interaction") : null],
  ].filter(([, value]) => value !== null);
  return element(
    "section",
    { class: "panel", "aria-labelledby": "facts" },
    element("h2", { id: "facts" }, "The run"),
    element("dl", { class: "facts" }, list.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
    element(
      "details",
      { class: "actions" },
      element("summary", {}, counted(report.actions.length, "action")),
      element("ul", { class: "chips" }, report.actions.map((name) => element("li", {}, foreign(name)))),
    ),
    report.notes.length
      ? [element("h3", {}, "Notes"), element("ul", { class: "notes" }, report.notes.map((note) => element("li", {}, foreign(note))))]
      : null,
  );
}
