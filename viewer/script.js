// What a single user does, line by line: with what they get wrong, or with what the page was answered.

function script(session) {
  const line = ({ text, mistaken }) => element("li", { class: mistaken ? "mistaken" : "" }, foreign(text));
  return element(
    "div",
    {},
    element("ol", { class: "script" }, session.script.map(line)),
    element("p", { class: "aside" }, badge(0), " is the last page with the mistake, ", badge(1), " without it."),
  );
}

function eventSequence({ actions, answers = [] }) {
  const answer = ({ text, of_observed_values: observed }) => element("li", {}, observed ? "Answered in the server's place, with observed values: " : "Needs an answer that was not observed: ", foreign(text));
  return element(
    "div",
    {},
    element("ol", { class: "script" }, actions.map((action) => element("li", {}, foreign(action)))),
    answers.length ? element("ul", { class: "aside" }, answers.map(answer)) : null,
  );
}
