// Puts the page together from the data block, and lets the keyboard walk through the root causes.

function contents({ report }) {
  const links = report.root_causes.map((cause) =>
    element(
      "li",
      {},
      element("a", { href: `#cause-${cause.id}` }, element("span", { class: "index" }, String(cause.id)), element("span", {}, causeName(cause), report.lines ? null : element("small", {}, `${cause.kind}, ${counted(cause.findings.length, "finding")}`))),
    ),
  );
  if (!links.length) return [];
  return [element("h2", {}, report.lines ? "Reached lines" : "Causes"), element("ol", {}, links), report.unknown.length ? element("a", { class: "more", href: "#unknown" }, counted(report.unknown.length, "unknown case")) : null];
}

function causes(data) {
  const { report } = data;
  if (!report.root_causes.length) return report.lines ? "" : nothingFound(report);
  return element("section", { class: "causes", "aria-labelledby": "causes" }, element("h2", { id: "causes" }, report.lines ? "Reached lines" : "Causes"), report.root_causes.map((cause) => rootCause(cause, data)));
}

function nothingFound(report) {
  const next = [
    "Search deeper: one more action in every sequence.",
    "Add actions that your users combine: formatting, lists, undo, moving and deleting whole lines.",
    "Let more clients act at once with --clients 3.",
    "Judge on more than pixels: the application's own document with state in colobus.toml.",
  ];
  return element(
    "section",
    { class: "panel calm" },
    drawing("svg", { viewBox: "0 0 64 64", width: 56, height: 56, "aria-hidden": "true" }, drawing("circle", { cx: 32, cy: 32, r: 29, fill: "none", stroke: "currentColor", "stroke-width": 4 }), drawing("path", { d: "M19 33l9 9 18-20", fill: "none", stroke: "currentColor", "stroke-width": 5, "stroke-linecap": "round", "stroke-linejoin": "round" })),
    element("div", {}, element("h2", {}, report.doubts.length ? "No failure came back, but the search is in doubt" : "The clients agreed every time"), element("p", {}, "What would make the search say more:"), element("ul", {}, next.map((text) => element("li", {}, text)))),
  );
}

/** No race and no finding: what a page shows each user for themselves, with what leaves it out. */
function personalPlaces({ report }) {
  const places = report.personal ?? [];
  if (!places.length) return null;
  const row = ({ place, ignore, cases }) => element("li", {}, foreign(place), ` (${counted(cases, "interaction")}) `, element("code", {}, visible(ignore)));
  return element("section", { class: "panel", id: "personal", "aria-labelledby": "personal-title" }, element("h2", { id: "personal-title" }, "Differs even when users take turns"), element("p", {}, "No race, and no finding. If a place is meant to differ, this line of colobus.toml leaves it out:"), element("ul", {}, places.map(row)));
}

/** How the search for a line ended that was not reached, in the order of the terminal; older reports do not say it. */
const ENDINGS = {
  unreachable: "No sequence of the model leads there",
  external: "Depends on answers, chance, time or other things that no event sets",
  limit: "A limit ended the search",
  undecided: "Not all sequences could be decided",
};

/** Lines for which no sequence was found, by how the search ended, with the reasons. */
function unreachedLines({ report }) {
  const left = report.lines?.answers.filter((answer) => !answer.reached) ?? [];
  if (!left.length) return null;
  const item = ({ verdict, reasons }) => element("details", { open: left.length <= 5 }, element("summary", {}, foreign(verdict)), element("ul", {}, reasons.map((reason) => element("li", {}, foreign(reason)))));
  const group = ([outcome, heading]) => {
    const all = left.filter((answer) => (answer.outcome ?? "undecided") === outcome);
    return all.length ? [element("h3", {}, `${heading}: ${counted(all.length, "line")}`), all.map(item)] : [];
  };
  return element("section", { class: "panel", id: "unreached", "aria-labelledby": "unreached-title" }, element("h2", { id: "unreached-title" }, "Lines that were not reached"), Object.entries(ENDINGS).map(group));
}

function unknownCases({ report }) {
  if (!report.unknown.length) return null;
  const reasons = new Map();
  for (const unknown of report.unknown) reasons.set(unknown.reason, [...(reasons.get(unknown.reason) ?? []), unknown]);
  const group = ([reason, list]) =>
    element("details", { open: list.length <= 5 }, element("summary", {}, foreign(reason), element("span", { class: "aside" }, counted(list.length, "case"))), element("ul", {}, list.map((unknown) => element("li", {}, caseText(unknown.case)))));
  return element("section", { class: "panel", id: "unknown", "aria-labelledby": "unknown-title" }, element("h2", { id: "unknown-title" }, "Of these nothing can be said"), [...reasons].map(group));
}

function walkByKeyboard() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const step = { j: 1, k: -1 }[event.key];
    const all = [...document.querySelectorAll(".cause")];
    if (!step || !all.length) return;
    const current = all.findLastIndex((cause) => cause.getBoundingClientRect().top < 120);
    const next = all[Math.max(0, Math.min(all.length - 1, current + step))];
    next.scrollIntoView();
    next.querySelector("h3").focus({ preventScroll: true });
  });
}

function start() {
  setUpTheme();
  const data = JSON.parse(document.getElementById("data").textContent);
  document.title = `${visible(data.report.application)}: Colobus report`;
  document.getElementById("bar-application").append(foreign(data.report.application));
  const links = contents(data);
  document.getElementById("contents").append(...links.filter(Boolean));
  document.body.classList.toggle("without-contents", !links.length);
  document.getElementById("main").append(summary(data), causes(data), ...[unreachedLines(data), personalPlaces(data), unknownCases(data)].filter(Boolean));
  document.getElementById("foot").append(
    element("p", {}, "Written by Colobus. ", data.report.root_causes.length > 1 ? [element("kbd", {}, "j"), " and ", element("kbd", {}, "k"), " go to the next and the previous cause."] : null),
  );
  walkByKeyboard();
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

start();
