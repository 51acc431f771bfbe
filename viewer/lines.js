// What differs between two texts, line by line: a canonical DOM, or an application's own document. No side is the right
// one, so the lines carry the colours of the clients that have them.

function lineDifference(title, others, difference) {
  const other = others[0];
  if (!difference) return null;
  const body = element("div", {});
  const show = (kind) => body.replaceChildren(...difference.hunks.map((hunk) => (kind === "split" ? splitHunk : unifiedHunk)(hunk, other)));
  const split = window.matchMedia("(min-width: 900px)").matches;
  show(split ? "split" : "unified");
  const content = difference.hunks.length
    ? [body, difference.cut ? element("p", { class: "aside" }, "The rest is left out here; the trace beside this report has it all.") : null]
    : element("p", { class: "aside" }, "No difference.");
  return element(
    "section",
    { class: "lines" },
    element(
      "div",
      { class: "section-head" },
      element("h4", {}, title, element("span", { class: "pair" }, badge(0), others.map(badge))),
      difference.hunks.length ? choices(`Layout of ${title}`, [["split", "Side by side"], ["unified", "One column"]], split ? "split" : "unified", show) : null,
    ),
    content,
  );
}

function unifiedHunk(hunk, other) {
  const rows = marked(hunk.lines).map(({ line, parts }) => {
    const owner = ownerOf(line, other);
    return element(
      "tr",
      { class: owner === null ? "" : "changed" },
      element("td", { class: "number" }, line.one ?? ""),
      element("td", { class: "number" }, line.other ?? ""),
      element("td", { class: "owner" }, owner === null ? "" : clientName(owner)),
      lineCell(parts, owner),
    );
  });
  return hunkTable(rows, "unified");
}

/** Changed lines of both sides next to each other. */
function splitHunk(hunk, other) {
  const rows = [];
  let [left, right] = [[], []];
  const side = (entry, owner) =>
    entry
      ? [element("td", { class: "number" }, (owner === 0 ? entry.line.one : entry.line.other) ?? ""), lineCell(entry.parts, ownerOf(entry.line, other))]
      : [element("td", { class: "number" }), element("td", { class: "text nothing" })];
  const flush = () => {
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      rows.push(element("tr", {}, side(left[i], 0), side(right[i], other)));
    }
    [left, right] = [[], []];
  };
  for (const entry of marked(hunk.lines)) {
    if (entry.line.one && entry.line.other) {
      flush();
      rows.push(element("tr", {}, side(entry, 0), side(entry, other)));
    } else (entry.line.one ? left : right).push(entry);
  }
  flush();
  return hunkTable(rows, "split");
}

function hunkTable(rows, kind) {
  return element("div", { class: "hunk", tabindex: "0", role: "region", "aria-label": "Lines that differ" }, element("table", { class: kind }, element("tbody", {}, rows)));
}

const ownerOf = (line, other) => (line.one && line.other ? null : line.one ? 0 : other);

function lineCell(parts, owner) {
  const cell = element("td", { class: "text" }, parts.map(([text, changed]) => (changed ? element("mark", {}, visible(text)) : visible(text))));
  return owner === null ? cell : colouredBy(owner, cell);
}

/** Lines with the part that differs from their counterpart on the other side set off. */
function marked(lines) {
  const entries = lines.map((line) => ({ line, parts: [[line.text, false]] }));
  for (let start = 0; start < entries.length; ) {
    const isChanged = (entry) => entry && !(entry.line.one && entry.line.other);
    let end = start;
    while (isChanged(entries[end])) end++;
    const block = entries.slice(start, end);
    const [ones, others] = [block.filter((entry) => entry.line.one), block.filter((entry) => entry.line.other)];
    for (let i = 0; i < Math.min(ones.length, others.length); i++) markPair(ones[i], others[i]);
    start = end + 1;
  }
  return entries;
}

function markPair(one, other) {
  const [a, b] = [one.line.text, other.line.text];
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  // Lines without much in common are simply different: a mark over everything says nothing.
  if (head + tail < Math.max(a.length, b.length) / 4) return;
  for (const [entry, text] of [[one, a], [other, b]]) {
    entry.parts = [[text.slice(0, head), false], [text.slice(head, text.length - tail), true], [text.slice(text.length - tail), false]].filter(([part]) => part);
  }
}
