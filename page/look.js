// look(options): what a page shows, in one answer: the canonical DOM and the visible text without the parts that `ignored` selects,
// the text in those parts (`aside`), and what `state` of the configuration says (or why it cannot). With `neutral` the page looks
// afterwards as if no user were at it.
((colobus) => {
  const said = (error) => String(error?.stack ?? error).split("\n")[0];

  colobus.look = async ({ ignored, dom, text, state, neutral }) => {
    const seen = {};
    if (neutral) colobus.activity?.look();
    if (dom) seen.dom = colobus.canonicalDom(ignored);
    if (text) seen.text = colobus.visibleText(ignored);
    if (text && ignored.length > 0) seen.aside = colobus.textAside(ignored);
    if (neutral) colobus.neutralLook(true);
    try {
      if (state) seen.state = await colobus.native.evaluate(state);
    } catch (error) {
      seen.stateFailed = said(error);
    }
    return seen;
  };
})(globalThis[Symbol.for("colobus")]);
