// canonicalDom(ignored): the document as text, one node a line, indented by depth, without what differs between clients
// that show the same: order of attributes and classes, split texts and equal neighbours, generated ids, technical nodes,
// and what cannot be seen (editors measure in hidden elements).
((colobus) => {
  const SKIPPED = new Set(["script", "style", "link", "meta", "template", "noscript", "head", "title", "base"]);
  const INLINE = new Set(["a", "b", "code", "del", "em", "font", "i", "ins", "mark", "s", "small", "span", "strong", "sub", "sup", "u"]);
  const KEEPS_WHITESPACE = new Set(["pre", "pre-wrap", "break-spaces", "pre-line"]);
  // Names that a library made up: digits, a long hexadecimal number, a UUID, React's :r1:, a prefix and a counter.
  const GENERATED = [/^\d+$/, /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i, /^[\da-f]{16,}$/i, /^[:«_]r[\da-z]+[:»_]$/i, /^[a-z]*[-_:]?\d{3,}$/i];
  // What editors put beside widgets and where text of another format may begin, so that browsers draw a caret there.
  const SCAFFOLD = ".ProseMirror-separator, .ProseMirror-trailingBreak, .ql-cursor";
  const REFERENCES = new Set(["id", "for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant"]);

  const generated = (value) => GENERATED.some((pattern) => pattern.test(value));

  const declarations = (style) =>
    style
      .split(";")
      .map((declaration) => declaration.trim().replace(/\s*:\s*/, ": "))
      .filter(Boolean)
      .sort()
      .join("; ");

  const attribute = (name, value) => {
    if (name === "class") return value.split(/\s+/).filter(Boolean).sort().join(" ");
    if (name === "style") return declarations(value);
    if (REFERENCES.has(name) && value.split(/\s+/).every(generated)) return "";
    return value;
  };

  const attributesOf = (element) => {
    const shown = [];
    for (const { name, value } of element.attributes) {
      const canonical = attribute(name, value);
      if (canonical === "" && (name === "class" || name === "style" || REFERENCES.has(name))) continue;
      if (name === "value" || name === "checked" || name === "selected" || name === "nonce") continue;
      shown.push(`${name}=${JSON.stringify(canonical)}`);
    }
    return [...shown, ...controlState(element)].sort();
  };

  const controlState = (element) => {
    switch (element.localName) {
      case "input":
        if (element.type === "checkbox" || element.type === "radio") return [`checked=${element.checked}`];
        return element.type === "file" ? [] : [`value=${JSON.stringify(element.value)}`];
      case "textarea":
      case "select":
        return [`value=${JSON.stringify(element.value)}`];
      default:
        return [];
    }
  };

  const readText = (node) => {
    const parent = node.parentElement;
    const kept = parent !== null && KEEPS_WHITESPACE.has(getComputedStyle(parent).whiteSpace);
    // Marks without width that editors put into empty nodes are no text.
    const bare = node.data.replace(/[\u200b\u2060\ufeff]/g, "");
    return { text: kept ? bare : bare.replace(/[ \t\n\r\f]+/g, " "), kept };
  };

  const isHidden = (element) => element !== null && getComputedStyle(element).visibility !== "visible";

  // A tree of plain values: {text, kept} or {open, inline, flows, children}.
  const read = (node, ignored) => {
    if (node.nodeType === 3) return isHidden(node.parentElement) ? [] : [readText(node)];
    if (node.nodeType !== 1 || SKIPPED.has(node.localName)) return [];
    if (node.matches(SCAFFOLD) || ignored.some((selector) => node.matches(selector))) return [];
    const { display } = getComputedStyle(node);
    if (display === "none") return [];
    const inside = node.localName === "textarea" ? [] : [...childrenOf(node)].flatMap((child) => read(child, ignored));
    const attributes = attributesOf(node);
    const children = join(inside);
    // Something inside may be visible again.
    if (children.length === 0 && isHidden(node)) return [];
    // A span that says nothing is only its content.
    if (node.localName === "span" && attributes.length === 0) return children;
    const open = [node.localName, ...attributes].join(" ");
    const flows = display.startsWith("inline");
    // A break at the end of a block keeps it from collapsing, but begins no line.
    if (!flows && children.at(-1)?.open === "br") children.pop();
    return [{ open, inline: INLINE.has(node.localName), flows, children }];
  };

  const childrenOf = (element) => {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element.localName === "slot") return element.assignedNodes().length ? element.assignedNodes() : element.childNodes;
    if (element.localName === "iframe") {
      try {
        return element.contentDocument ? [element.contentDocument.documentElement] : [];
      } catch {
        return [];
      }
    }
    return element.childNodes;
  };

  // Neighbours that are texts, or equal inline elements, become one; white space counts where it separates words.
  const join = (nodes) => {
    const joined = [];
    for (const node of nodes) {
      const last = joined.at(-1);
      if (node.text !== undefined && last?.text !== undefined) joined[joined.length - 1] = joinTexts(last, node);
      else if (node.inline && last?.inline && last.open === node.open) last.children = join([...last.children, ...node.children]);
      else if (node.text !== "" && !isEmptyFormatting(node)) joined.push({ ...node });
    }
    return joined.filter((node, index) => !isBetweenBlocks(node, joined[index - 1], joined[index + 1]));
  };
  const joinTexts = (one, other) => {
    const text = one.text + other.text;
    const kept = one.kept || other.kept;
    return { text: kept ? text : text.replace(/ +/g, " "), kept };
  };
  // `<b></b>` is invisible; an inline element with classes or an address may well be an icon.
  const isEmptyFormatting = (node) => node.inline && node.children.length === 0 && !node.open.includes(" ");
  const isBetweenBlocks = (node, before, after) => {
    const separates = (neighbour) => neighbour !== undefined && (neighbour.text !== undefined || neighbour.flows);
    return node.text === " " && !node.kept && !(separates(before) && separates(after));
  };

  const write = (nodes, depth, lines) => {
    for (const node of nodes) {
      const indent = "  ".repeat(depth);
      if (node.text !== undefined) lines.push(`${indent}${JSON.stringify(node.text)}`);
      else {
        lines.push(`${indent}<${node.open}>`);
        write(node.children, depth + 1, lines);
      }
    }
    return lines;
  };

  colobus.canonicalDom = (ignored) => write(read(document.body ?? document.documentElement, ignored), 0, []).join("\n");
})(globalThis[Symbol.for("colobus")]);
