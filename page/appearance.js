// appearance: the style sheets of the settings, in every document and shadow root, without a node in the document.
((colobus) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(colobus.settings.css);
  colobus.appearance = { sheet };
  const adopt = (root) => {
    if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  };
  adopt(document);
  colobus.wrapNative(Element.prototype, "attachShadow", {
    apply(target, self, args) {
      const root = Reflect.apply(target, self, args);
      adopt(root);
      return root;
    },
  });
})(globalThis[Symbol.for("colobus")]);
