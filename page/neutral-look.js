// neutralLook(on): how the page looks if no user is at it: nothing has the focus, no mouse is over it. Focus and pointer
// stay where they are, because leaving a field can save or send; only the style rules that show them stop matching. Rules of
// sheets from other origins cannot be read and stay.
((colobus) => {
  const OWN = /:(?:focus-within|focus-visible|focus|hover|active)(?![\w-])/g;
  // CSSRule -> its selector as the page wrote it.
  let changed = new Map();

  const rulesOf = (owner) => {
    try {
      return owner.cssRules ?? [];
    } catch {
      return [];
    }
  };
  const visit = (owner) => {
    for (const rule of rulesOf(owner)) {
      const selector = rule.selectorText;
      if (selector !== undefined && selector.search(OWN) >= 0) {
        changed.set(rule, selector);
        rule.selectorText = selector.replace(OWN, ":not(*)");
      }
      if (rule.styleSheet) visit(rule.styleSheet);
      visit(rule);
    }
  };
  const visitRoot = (root) => {
    for (const sheet of root.styleSheets) visit(sheet);
    for (const sheet of root.adoptedStyleSheets) if (sheet !== colobus.appearance.sheet) visit(sheet);
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) visitRoot(element.shadowRoot);
  };

  colobus.neutralLook = (on) => {
    for (const [rule, selector] of changed) rule.selectorText = selector;
    changed = new Map();
    if (on) visitRoot(document);
  };
})(globalThis[Symbol.for("colobus")]);
