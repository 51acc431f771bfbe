// look(options): what a page shows, in one answer: the canonical DOM and the visible text without the parts that `ignored` selects,
// the text in those parts (`aside`), and what `state` of the configuration says (or why it cannot). With `neutral` the page looks
// afterwards as if no user were at it.
((colobus) => {
  const said = (error) => String(error?.stack ?? error).split("\n")[0];

  // Clients would be compared by `{}`.
  const SHOWN_EMPTY = new Set(["Map", "Set", "WeakMap", "WeakSet", "Promise", "Window"]);
  const kindOf = (object) => {
    if (typeof object.nodeType === "number" && typeof object.nodeName === "string") return "DOM node";
    const kind = Object.prototype.toString.call(object).slice("[object ".length, -1);
    return SHOWN_EMPTY.has(kind) ? kind : undefined;
  };

  const asJson = (document) => {
    const text = colobus.native.toJson(document, (_key, value) => {
      const kind = typeof value === "object" && value !== null ? kindOf(value) : undefined;
      if (kind) throw new TypeError(`it has a ${kind}, which is no JSON`);
      return value;
    });
    if (text !== undefined) return colobus.native.fromJson(text);
    throw new TypeError(`it gives ${document === undefined ? "undefined" : `a ${typeof document}`}, which is no JSON`);
  };

  colobus.look = async ({ ignored, dom, text, state, neutral }) => {
    const seen = {};
    if (neutral) colobus.activity?.look();
    if (dom) seen.dom = colobus.canonicalDom(ignored);
    if (text) seen.text = colobus.visibleText(ignored);
    if (text && ignored.length > 0) seen.aside = colobus.textAside(ignored);
    if (neutral) colobus.neutralLook(true);
    try {
      if (state) seen.state = asJson(await colobus.native.evaluate(state));
    } catch (error) {
      seen.stateFailed = said(error);
    }
    return seen;
  };
})(globalThis[Symbol.for("colobus")]);
