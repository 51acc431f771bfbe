// carets(selector, focus): where the user's own caret is on the screen, and where those of others are drawn, as strokes
// {x, top, bottom}; own is null where it cannot be known.
((colobus) => {
  const stroke = ({ left, top, bottom }) => ({ x: left, top, bottom });

  // A caret in an empty line has no box of its own: it stands where the line begins.
  const atStart = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const left = box.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft);
    return { x: left, top: box.top, bottom: box.bottom };
  };

  const ofSelection = (editor) => {
    const { focusNode, focusOffset } = editor.getRootNode().getSelection?.() ?? document.getSelection();
    if (!focusNode || !editor.contains(focusNode)) return null;
    const range = document.createRange();
    range.setStart(focusNode, focusOffset);
    const [box] = range.getClientRects();
    if (box) return stroke(box);
    const next = focusNode.childNodes[focusOffset];
    if (next?.nodeType === 1 && next.localName !== "br") return stroke(next.getBoundingClientRect());
    return atStart(focusNode.nodeType === 1 ? focusNode : focusNode.parentElement);
  };

  const own = (editor) => {
    const codeMirror = editor?.closest(".CodeMirror")?.CodeMirror;
    if (codeMirror) return stroke(codeMirror.cursorCoords(null, "window"));
    const editable = editor?.isContentEditable ? editor : editor?.querySelector("[contenteditable]:not([contenteditable=false])");
    return editable ? ofSelection(editable) : null;
  };

  colobus.carets = (selector, focus) => ({
    own: own((focus && colobus.locators.find(focus).elements[0]) || document.activeElement),
    shown: colobus.locators
      .find(selector)
      .elements.filter((element) => element.getClientRects().length > 0)
      .map((element) => stroke(element.getBoundingClientRect())),
  });
})(globalThis[Symbol.for("colobus")]);
