// visibleText(ignored): what can be read on the page, as passages. A change of formatting does not end a passage, a block
// does; fields are passages of their own. What is hidden, or clipped to nothing, is left out. textAside(ignored): what can be read
// in the ignored parts.
((colobus) => {
  const SKIPPED = new Set(["script", "style", "template", "noscript", "head", "title"]);
  const FIELDS = new Set(["input", "textarea", "select"]);
  const UNREADABLE = new Set(["checkbox", "radio", "file", "password", "hidden", "button", "submit", "reset", "image", "range", "color"]);

  const clipsEverything = (element, style) => {
    if (style.overflowX === "visible" && style.overflowY === "visible") return false;
    const box = element.getBoundingClientRect();
    return box.width < 2 || box.height < 2;
  };

  const isField = (element) => FIELDS.has(element.localName);
  const readable = (field) => !(field.localName === "input" && UNREADABLE.has(field.type));

  const childrenOf = (element) => {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element.localName === "slot" && element.assignedNodes().length) return element.assignedNodes();
    if (element.localName !== "iframe") return element.childNodes;
    try {
      return element.contentDocument?.body ? [element.contentDocument.body] : [];
    } catch {
      return [];
    }
  };

  // `aside` is called with the uppermost elements that are ignored.
  const passagesIn = (root, ignored, aside) => {
    const passages = [];
    let passage = "";
    const end = () => {
      const text = passage.replace(/[\u200b\u2060\ufeff]/g, "").replaceAll("\u00a0", " ");
      if (text.trim() !== "") passages.push(text);
      passage = "";
    };
    const read = (node, shown) => {
      if (node.nodeType === 3) {
        if (shown) passage += node.data;
        return;
      }
      if (node.nodeType !== 1 || SKIPPED.has(node.localName)) return;
      if (ignored.some((selector) => node.matches(selector))) return aside(node);
      const style = getComputedStyle(node);
      if (style.display === "none") return;
      const inline = style.display.startsWith("inline") || style.display === "contents" || style.display.startsWith("ruby");
      const breaks = !inline || node.localName === "br" || isField(node);
      if (breaks) end();
      const visible = style.visibility === "visible";
      if (clipsEverything(node, style) && !inline) return;
      if (isField(node)) {
        if (visible && readable(node) && !clipsEverything(node, { overflowX: "hidden" })) passage = node.value;
      } else {
        for (const child of childrenOf(node)) read(child, visible);
      }
      if (breaks) end();
    };
    read(root, true);
    end();
    return passages;
  };

  const everything = () => document.body ?? document.documentElement;
  colobus.visibleText = (ignored) => passagesIn(everything(), ignored, () => {});
  colobus.textAside = (ignored) => {
    const passages = [];
    passagesIn(everything(), ignored, (element) => passages.push(...passagesIn(element, [], () => {})));
    return passages;
  };
})(globalThis[Symbol.for("colobus")]);
