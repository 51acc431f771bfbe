// One root cause: what happens, what the clients show, how to see it again, and its other findings.

function rootCause(cause, data) {
  const positions = cause.findings.map((id) => data.report.findings.findIndex((finding) => finding.id === id)).filter((index) => index >= 0);
  const [shortest, ...others] = positions;
  const id = `cause-${cause.id}`;
  const head = element(
    "header",
    { class: "cause-head" },
    element("p", { class: "cause-number" }, data.report.lines ? `Line ${cause.id} of ${data.report.root_causes.length}` : `Cause ${cause.id} of ${data.report.root_causes.length}, ${counted(cause.failures || cause.findings.length, nounOf(data.report))}`),
    element("h3", { id: `${id}-name`, tabindex: "-1" }, causeName(cause)),
    cause.accepted === undefined ? null : element("p", { class: "aside" }, "Accepted: ", foreign(cause.accepted)),
    cause.case.interaction ? element("p", { class: "example" }, "For example ", concurrentNames(cause.case.interaction.concurrent)) : null,
    data.report.lines ? null : element("p", { class: "labels" }, element("span", { class: `label ${cause.kind}` }, `${cause.kind} differs`.replace("error differs", "new error").replace("lost differs", "input lost").replace("invariant differs", "invariant broken").replace("pixels differs", "pixels differ")), element("span", { class: "label" }, foreign(cause.check))),
  );
  if (shortest === undefined) return element("article", { class: "cause", id }, head);
  return element(
    "article",
    { class: "cause", id, "aria-labelledby": `${id}-name` },
    head,
    findingBody(data.report.findings[shortest], data.evidence[shortest], [data.commands[shortest], data.lines[shortest]], data.images),
    others.length ? otherFindings(others, data) : null,
  );
}

/** A report of an earlier version knows the actions only. */
function causeName(cause) {
  if (cause.case.line) return caseTitle(cause.case);
  return cause.name ? sentence(foreign(cause.name)) : caseTitle(cause.case);
}

function sentence(node) {
  node.classList.add("sentence");
  return node;
}

function concurrentNames(names) {
  return names.map((name, client) => [client ? element("span", { class: "while" }, "while") : null, element("span", { class: "doer" }, badge(client), foreign(name))]);
}

function findingBody(finding, evidence, commands, images) {
  const { interaction, session, sequence, order, line } = finding.searched;
  const differing = evidence.comparisons.filter((c) => c.dom?.hunks.length || c.state?.hunks.length);
  return element(
    "div",
    { class: "finding" },
    element("p", { class: "what" }, foreign(finding.difference.summary)),
    alsoFailed(finding.also ?? []),
    ...commands.filter(Boolean).map(commandLine),
    reproductions(finding),
    places(finding),
    evidence.problem ? element("p", { class: "notice" }, "The evidence cannot be shown: ", foreign(evidence.problem)) : null,
    placed(
      element("div", { class: interaction?.passing ? "evidence both-orders" : "evidence" }, element("section", { class: "happening" }, element("h4", {}, "What happens"), ...(order ? [reversal(order)] : session ? [script(session)] : sequence ? [eventSequence(sequence)] : line ? [eventSequence({ actions: line.events })] : [orders(finding, evidence), scheduleLine(interaction)])), pictures(evidence, images)),
      { "--lanes": (interaction?.concurrent.length ?? 1) + 1 },
    ),
    errors(evidence),
    differing.map((c) => [
      c.dom?.hunks.length ? lineDifference("DOM", c.others, c.dom) : null,
      c.state?.hunks.length ? lineDifference("Document", c.others, c.state) : null,
    ]),
    sameAspects(evidence),
  );
}

/** The checks that failed besides the worst one. */
function alsoFailed(failed) {
  if (!failed.length) return null;
  const item = ({ check, difference }) => element("li", {}, element("span", { class: "label" }, foreign(check)), " ", foreign(difference.summary));
  return element("details", { class: "also" }, element("summary", {}, `${counted(failed.length, "further check")} failed`), element("ul", {}, failed.map(item)));
}

function commandLine(command) {
  const code = element("code", { tabindex: "0" }, visible(command));
  const button = element("button", { type: "button", click: () => copy(command, code, button) }, "Copy");
  return element("div", { class: "command" }, code, button);
}

async function copy(text, node, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from files may not reach the clipboard: select the text, and ask the old way.
    const range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  announce("The command was copied");
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/** On which machines of a Grid a finding was seen and came back. */
function places({ seen_in: seen, repeated_in: repeated = [] }) {
  if (!seen) return null;
  const place = ({ version, node }) => foreign(`${version} on ${node}`, { class: "place" });
  const again = repeated.flatMap(({ browser, reproduced, attempts }) => [`; ${reproduced} of ${attempts} in `, place(browser)]);
  const isElsewhere = repeated.some(({ browser }) => browser.node !== seen.node);
  return element("p", { class: "aside" }, "Seen in ", place(seen), ...again, isElsewhere ? "." : ". It was not repeated on another node.");
}

function reproductions(finding) {
  const { reduced, reproduced, attempts, failures, searched } = finding;
  if (!reduced) return element("p", { class: "notice" }, "The run was stopped before this was reduced and run again: it is shown as it was seen.");
  const always = reproduced === attempts;
  const dots = Array.from({ length: Math.min(attempts, 20) }, (_, index) => element("i", { class: index < Math.round((reproduced / attempts) * Math.min(attempts, 20)) ? "on" : "" }));
  return element(
    "p",
    { class: searched.line ? "reproductions reached" : "reproductions" },
    element("span", { class: "dots", "aria-hidden": "true" }, dots),
    element("span", {}, element("strong", {}, `${reproduced} of ${attempts}`), searched.line ? ` executions reached the line${always ? "" : ": it is not reached every time"}.` : ` executions failed in the same way${always ? "" : ": it does not fail every time"}.`),
    failures > 1 ? element("span", {}, `${grouped(failures)} failing cases were reduced to this one.`) : null,
  );
}

function scheduleLine({ schedule }) {
  return element("p", { class: "aside" }, "Schedule ", element("code", {}, visible(schedule)));
}

function errors(evidence) {
  const lists = evidence.clients.filter((client) => client.errors.length);
  if (!lists.length) return null;
  const item = (error) =>
    element(
      "li",
      { class: error.known ? "known" : "" },
      element("span", { class: "label error" }, { uncaught: "uncaught", exit: "application" }[error.kind] ?? "console"),
      foreign(error.text, { class: "error-text" }),
      error.place ? foreign(error.place, { class: "place" }) : null,
      error.known ? element("span", { class: "aside" }, "sequential runs have it as well") : null,
    );
  return element(
    "section",
    { class: "errors" },
    element("h4", {}, "Errors in the pages"),
    lists.map((client) => element("div", { class: "error-list" }, badge(evidence.clients.indexOf(client)), element("ul", {}, client.errors.map(item)))),
  );
}

/** Aspects that were observed and are equal: worth a line, because it tells where not to look. */
function sameAspects(evidence) {
  const equal = (aspect) => evidence.comparisons.length && evidence.comparisons.every((c) => c[aspect] && !c[aspect].hunks.length);
  const names = [
    evidence.comparisons.length && evidence.comparisons.every((c) => c.pixels && !c.pixels.length) ? "pixels" : null,
    equal("dom") ? "DOM" : null,
    equal("state") ? "document" : null,
  ].filter(Boolean);
  return names.length ? element("p", { class: "aside" }, `Equal in all clients: ${names.join(", ")}.`) : null;
}

/** The other findings open on demand: their pictures are drawn when a reader opens them. */
function otherFindings(positions, data) {
  const item = (index) => {
    const finding = data.report.findings[index];
    const body = element("div", {});
    const open = (event) => {
      if (event.target.open && !body.hasChildNodes()) body.append(findingBody(finding, data.evidence[index], [data.commands[index], data.lines[index]], data.images));
    };
    return element(
      "details",
      { toggle: open, id: `finding-${finding.id}` },
      element(
        "summary",
        {},
        element("span", { class: "other-name" }, `Finding ${finding.id}: `, caseText(finding.searched)),
        element("span", { class: "aside" }, finding.reduced ? `${finding.reproduced} of ${finding.attempts}` : "not reduced"),
      ),
      body,
    );
  };
  return element("section", { class: "others" }, element("h4", {}, `${counted(positions.length, "further finding")} of this cause`), positions.map(item));
}
