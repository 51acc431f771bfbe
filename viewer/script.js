// What a single user does, line by line, with what they get wrong.

function script(session) {
  const line = ({ text, mistaken }) => element("li", { class: mistaken ? "mistaken" : "" }, foreign(text));
  return element(
    "div",
    {},
    element("ol", { class: "script" }, session.script.map(line)),
    element("p", { class: "aside" }, badge(0), " is the last page with the mistake, ", badge(1), " without it."),
  );
}
