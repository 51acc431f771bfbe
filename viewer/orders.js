// The order that fails beside one that works, and what makes the difference: two events, or a fault.

function orders(finding, evidence) {
  const events = evidence.events;
  const { interaction } = finding.searched;
  const critical = interaction.critical?.positions ?? [interaction.critical?.position ?? -1];
  const failing = lanes(interaction, evidence, events, critical, endingOf(finding));
  if (!interaction.passing) return failing;
  const passing = evidence.passing;
  const same = critical.map((position) => counterpart(events, position, passing)).filter((position) => position >= 0);
  const working = lanes(interaction, evidence, passing, same, { kind: "agreement", text: "They show the same" });
  return element(
    "div",
    { class: "orders" },
    difference(interaction.critical, events),
    element("div", { class: "order" }, element("p", { class: "order-name fails" }, "This order fails"), failing),
    element("div", { class: "order" }, element("p", { class: "order-name works" }, "This order works"), working),
  );
}

function difference(critical, events) {
  if (!critical) return null;
  const code = (word) => element("code", { class: "word" }, visible(word));
  if (critical.fault) {
    const meaning = FAULTS[events[critical.position]?.kind];
    return element("p", { class: "reversal" }, "Fails with ", code(critical.fault), meaning ? ` (${meaning})` : "", ". Works without it.");
  }
  const [first, second] = [critical.first, critical.second].map(code);
  return element("p", { class: "reversal" }, "Fails if ", first, " comes before ", second, ". Works in the other order.");
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
