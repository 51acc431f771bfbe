// caret: reads where the caret is, as JSON, and puts it there again, for the kinds of editors listed at the end.
((colobus) => {
  // Positions in editable DOM -----------------------------------------------------------------------------------------
  // A position is a count of what lies before it: characters, line breaks, objects, and blocks that were entered. How the
  // text is split into nodes, which differs between clients that show the same, has no influence.
  const BLOCKS = new Set(["block", "list-item", "flex", "grid", "table", "table-row", "table-cell", "flow-root"]);
  const isBlock = (node) => node.nodeType === 1 && BLOCKS.has(getComputedStyle(node).display);
  const isObject = (node) =>
    node.nodeType === 1 && (/^(br|img|hr|input|video|canvas|svg)$/.test(node.localName) || node.contentEditable === "false");

  // Calls visit(node, count) for everything a caret can stand in or before, until one of the calls returns true.
  const walk = (root, visit) => {
    let count = 0;
    const enter = (node) => {
      if (node !== root && isBlock(node) && !isObject(node)) count += 1;
      if (visit(node, count)) return true;
      if (node.nodeType === 3) count += node.length;
      else if (node !== root && isObject(node)) count += 1;
      else for (const child of node.childNodes) if (enter(child)) return true;
      return false;
    };
    enter(root);
    return count;
  };

  const measure = (root, container, offset) => {
    // Before a child means inside it, as soon as it can hold a caret; after the last one means at the end of the container.
    const next = container.nodeType === 1 ? container.childNodes[offset] : undefined;
    let at;
    let entered = false;
    let lastText = -1;
    const end = walk(root, (node, count) => {
      const opens = isBlock(node) && !isObject(node) ? 1 : 0;
      if (node === container && node.nodeType === 3) at = count + offset;
      else if (node === next) at = count;
      else if (!next && entered && !container.contains(node)) at = count - opens;
      if (node === container) entered = true;
      if (at === undefined && node.nodeType === 3 && node.length > 0) lastText = count + node.length;
      return at !== undefined;
    });
    // Two positions count the same where one text ends and the next begins: this tells which of them it is.
    const starts = container.nodeType === 3 && offset === 0 && container.length > 0 && lastText === at;
    return { at: at ?? end, starts };
  };

  const place = (root, { at, starts }) => {
    let exact;
    let nearest = [root, 0];
    walk(root, (node, count) => {
      if (count > at) return true;
      const indexOf = (child) => [...child.parentNode.childNodes].indexOf(child);
      if (node.nodeType === 3) {
        const within = at - count <= node.length && node.length > 0;
        if (within && (!exact || (starts && at === count))) exact = [node, at - count];
        else if (node.length > 0) nearest = [node, Math.min(at - count, node.length)];
      } else if (node !== root && isObject(node)) {
        if (at === count) exact ??= [node.parentNode, indexOf(node)];
        else nearest = [node.parentNode, indexOf(node) + 1];
      } else if (node.nodeType === 1 && !node.firstChild) {
        if (at === count) exact ??= [node, 0];
        else nearest = [node, 0];
      }
      return false;
    });
    return exact ?? nearest;
  };

  const selectionOf = (root) => {
    const within = root.getRootNode();
    return within.getSelection?.() ?? root.ownerDocument.getSelection();
  };

  const editable = {
    read(root) {
      const selection = selectionOf(root);
      if (!selection?.anchorNode || !root.contains(selection.anchorNode) || !root.contains(selection.focusNode)) return null;
      return {
        anchor: measure(root, selection.anchorNode, selection.anchorOffset),
        focus: measure(root, selection.focusNode, selection.focusOffset),
      };
    },
    write(root, { anchor, focus }) {
      root.focus({ preventScroll: true });
      selectionOf(root).setBaseAndExtent(...place(root, anchor), ...place(root, focus));
    },
  };

  // Other kinds -------------------------------------------------------------------------------------------------------
  const field = {
    read: (element) =>
      element.selectionStart === null
        ? null
        : { start: element.selectionStart, end: element.selectionEnd, direction: element.selectionDirection },
    write(element, { start, end, direction }) {
      element.focus({ preventScroll: true });
      element.setSelectionRange(start, end, direction);
    },
  };

  const codeMirror5 = {
    read: ({ CodeMirror }) =>
      CodeMirror.listSelections().map(({ anchor, head }) => [anchor.line, anchor.ch, head.line, head.ch]),
    write({ CodeMirror }, selections) {
      CodeMirror.focus();
      CodeMirror.setSelections(
        selections.map(([line, ch, headLine, headCh]) => ({ anchor: { line, ch }, head: { line: headLine, ch: headCh } })),
      );
    },
  };

  const viewOf = (content) =>
    content.cmView?.rootView?.view ?? content.cmView?.view ?? content.cmTile?.root?.view ?? content.cmTile?.view;
  const codeMirror6 = {
    read: (content) => viewOf(content).state.selection.toJSON(),
    write(content, { ranges, main }) {
      const view = viewOf(content);
      const { length } = view.state.doc;
      const within = (position) => Math.min(position, length);
      const range = ranges[main];
      view.focus();
      view.dispatch({ selection: { anchor: within(range.anchor), head: within(range.head) } });
    },
  };

  const quillOf = (container) => container.__quill ?? globalThis.Quill?.find?.(container);
  const quill = {
    read: (container) => quillOf(container).getSelection(),
    write(container, range) {
      quillOf(container).focus();
      quillOf(container).setSelection(range.index, range.length, "user");
    },
  };

  // ProseMirror reads its selection from the DOM; its own positions survive a different split of the DOM.
  const proseMirror = {
    read(root) {
      const selection = selectionOf(root);
      if (!selection?.anchorNode || !root.contains(selection.anchorNode)) return null;
      const position = (node, offset) => root.pmViewDesc.posFromDOM(node, offset, -1);
      return {
        anchor: position(selection.anchorNode, selection.anchorOffset),
        focus: position(selection.focusNode, selection.focusOffset),
      };
    },
    write(root, { anchor, focus }) {
      root.focus({ preventScroll: true });
      const place = (position) => root.pmViewDesc.domFromPos(Math.min(position, root.pmViewDesc.size - 2), 0);
      const from = place(anchor);
      const to = place(focus);
      selectionOf(root).setBaseAndExtent(from.node, from.offset, to.node, to.offset);
    },
  };

  // Which is which ----------------------------------------------------------------------------------------------------
  const editingHost = (element) => {
    let host = element?.isContentEditable ? element : element?.querySelector?.("[contenteditable]:not([contenteditable=false])");
    while (host?.parentElement?.isContentEditable) host = host.parentElement;
    return host;
  };
  const near = (selector, usable) => (element) => {
    const found = element?.closest?.(selector) ?? element?.querySelector?.(selector);
    return found && usable(found) ? found : null;
  };
  // Most special first: every one of them is also editable DOM or a text field.
  const kinds = [
    ["codemirror5", codeMirror5, near(".CodeMirror", (found) => found.CodeMirror)],
    ["codemirror6", codeMirror6, near(".cm-content", viewOf)],
    ["quill", quill, near(".ql-container", quillOf)],
    ["prosemirror", proseMirror, near(".ProseMirror", (found) => found.pmViewDesc)],
    ["textarea", field, near("textarea", () => true)],
    ["input", field, near("input", () => true)],
    ["contenteditable", editable, editingHost],
  ];

  const find = (kind, selector) => {
    const start = (selector && colobus.locators.find(selector).elements[0]) || colobus.input.focused();
    for (const [name, access, locate] of kinds) {
      // Every editor that hides its own object from us still is editable DOM.
      if (kind !== "auto" && kind !== name && name !== "contenteditable") continue;
      const element = locate(start);
      if (element) return { access, element };
    }
    return null;
  };

  colobus.caret = {
    read(kind, selector) {
      const found = find(kind, selector);
      return found ? found.access.read(found.element) : null;
    },
    // {} or {problem}
    write(kind, selector, caret) {
      const found = find(kind, selector);
      if (!found) return { problem: "there is no editor whose caret could be set" };
      found.access.write(found.element, caret);
      return {};
    },
  };
})(globalThis[Symbol.for("colobus")]);
