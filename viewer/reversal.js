// The two orders of one page's events: the pair that makes the difference, and what differs in the end.

function reversal(order) {
  const { first, second, place, first_at, second_at, working, failing, steps, gone, new: fresh, exceptions, requests, by_hand, confirmed } = order;
  const pair = new Set([first, second]);
  const events = (names) => element("ol", { class: "script" }, names.map((name) => element("li", pair.has(name) ? { class: "mistaken" } : {}, foreign(name))));
  const block = (title, lines) => (lines.length ? [element("h5", {}, title), element("pre", {}, foreign(lines.join("\n")))] : []);
  return element(
    "div",
    { class: "reversal" },
    element("p", {}, "Works if ", element("code", {}, foreign(first)), " comes first (", foreign(first_at), "). Fails if ", element("code", {}, foreign(second)), " comes first (", foreign(second_at), "). Both touch: ", foreign(place), "."),
    element("p", { class: confirmed ? "good" : "doubt" }, confirmed ? "Confirmed on the plain page with " : "Not confirmed on the plain page: ", foreign(by_hand), "."),
    element("p", { class: "aside" }, "Picture A shows the page after the order that fails, B after the one that works."),
    steps.length ? [element("h5", {}, "What the user does"), element("ol", { class: "script" }, steps.map((step) => element("li", {}, foreign(step))))] : null,
    element("h5", {}, "The order that fails"),
    events(failing),
    element("details", {}, element("summary", {}, "The order that works"), events(working)),
    block("Only where it works", gone),
    block("Only where it fails", fresh),
    block("Exceptions that are thrown where it fails", exceptions[1]),
    block("Exceptions that are not thrown where it fails", exceptions[0]),
    block("Requests that are sent where it fails", requests[1]),
    block("Requests that are not sent where it fails", requests[0]),
  );
}
