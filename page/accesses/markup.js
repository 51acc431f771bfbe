// Code in markup that scripts make: handlers in attributes that are set as text, and in HTML that is put into the document.
// Both are rewritten, and read back as they were written.
((colobus) => {
  if (!colobus.nodes) return;
  const { apply, exec, text, toLowerCase } = colobus.kept;
  const { rewritten, original } = colobus.code;

  const isHandler = (name) => exec(/^on[a-z]+$/, toLowerCase(text(name))) !== null;
  const hasCode = (html) => exec(/\son[a-z]+\s*=/i, html) !== null;
  const asWritten = {
    apply(target, self, args) {
      const result = apply(target, self, args);
      return typeof result === "string" ? original(result) : result;
    },
  };

  colobus.wrapPart(Element.prototype, "setAttribute", "value", {
    apply(target, self, args) {
      if (args.length < 2 || !isHandler(args[0])) return apply(target, self, args);
      return apply(target, self, [args[0], rewritten("function", "event", text(args[1]))]);
    },
  });
  colobus.wrapPart(Element.prototype, "getAttribute", "value", asWritten);

  const markup = (html) => (typeof html === "string" && hasCode(html) ? rewritten("html", "", html) : html);
  for (const name of ["innerHTML", "outerHTML"]) {
    colobus.wrapPart(Element.prototype, name, "set", {
      apply: (target, self, args) => apply(target, self, [markup(args[0])]),
    });
    colobus.wrapPart(Element.prototype, name, "get", asWritten);
  }
  colobus.wrapPart(Element.prototype, "insertAdjacentHTML", "value", {
    apply: (target, self, args) => apply(target, self, [args[0], markup(args[1])]),
  });
  for (const name of ["write", "writeln"]) {
    colobus.wrapPart(Document.prototype, name, "value", {
      apply(target, self, args) {
        const parts = [];
        for (let at = 0; at < args.length; at++) parts[at] = markup(args[at]);
        return apply(target, self, parts);
      },
    });
  }
})(globalThis[Symbol.for("colobus")]);
