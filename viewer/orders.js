// The order that fails beside one that works, and what makes the difference: two events, or a disturbance.

function orders(finding, evidence) {
  const events = evidence.events;
  const { interaction } = finding.searched;
  const critical = interaction.critical?.positions ?? [interaction.critical?.position ?? -1];
  const failing = lanes(interaction, evidence, events, critical, endingOf(finding));
  if (!interaction.passing) return failing;
  const passing = parsedSchedule(interaction.passing);
  const same = critical.map((position) => counterpart(events, position, passing)).filter((position) => position >= 0);
  const working = lanes(interaction, evidence, passing, same, { kind: "agreement", text: "They show the same" });
  return element(
    "div",
    { class: "orders" },
    difference(interaction.critical),
    element("div", { class: "order" }, element("p", { class: "order-name fails" }, "This order fails"), failing),
    element("div", { class: "order" }, element("p", { class: "order-name works" }, "This order works"), working),
  );
}

function difference(critical) {
  if (!critical) return null;
  const code = (word) => element("code", { class: "word" }, visible(word));
  if (critical.fault) {
    const [{ kind }] = parsedSchedule(critical.fault);
    return element("p", { class: "reversal" }, "With ", code(critical.fault), ` (${DISTURBANCES[kind] ?? kind}) it goes wrong; without, it works.`);
  }
  const [first, second] = [critical.first, critical.second].map(code);
  return element("p", { class: "reversal" }, first, " before ", second, " goes wrong; the other way round it works.");
}

function endingOf(finding) {
  const text = { error: "A page reports an error", state: "Their documents differ" }[finding.difference.kind] ?? "They show different things";
  return { kind: "ending", text };
}

/** Where the other order has the same event: of equal words the one with the same number. */
function counterpart(events, position, others) {
  const word = events[position]?.word;
  const number = events.slice(0, position).filter((event) => event.word === word).length;
  return others.flatMap((event, index) => (event.word === word ? [index] : []))[number] ?? -1;
}

/** The events of a schedule as it is written: `A1 A> B<#2 ~`. */
function parsedSchedule(line) {
  return line.split(/\s+/).filter(Boolean).map((word) => {
    const client = word.charCodeAt(0) - 65;
    const rest = word.slice(1);
    if (word === "~") return { word, kind: "flush" };
    if (rest[0] === ">") return { word, kind: "deliver", client, direction: "to_server" };
    if (rest[0] === "<") return { word, kind: "deliver", client, direction: "to_client" };
    const fault = { "!": "cut", "+": "restore", "@": "reload", "...": "wait", "&": "tab", "*": "join" }[rest];
    return fault ? { word, kind: fault, client } : { word, kind: "step", client, step: Number(rest) - 1 };
  });
}
