// Positions in the document and places in the page. Every character of the document, newlines too, is text in the
// editable root, so a position is the length of the text before a place.

/** The position of a place in the page, or undefined outside the root. */
export function positionOf(root, node, offset) {
  if (!node || !root.contains(node)) return undefined;
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

/** The place of a position: within its own line, as far left as it can be. */
export function placeOf(root, position) {
  let rest = position;
  for (const line of root.children) {
    const { length } = line.textContent;
    if (rest < length) return placeInLine(line, rest);
    rest -= length;
  }
  return placeInLine(root.lastElementChild, 0);
}

function placeInLine(line, offset) {
  const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let rest = offset;
  while (texts.nextNode()) {
    const { length } = texts.currentNode;
    if (rest <= length) return { node: texts.currentNode, offset: rest };
    rest -= length;
  }
  return { node: line, offset: 0 };
}

/** The user's selection in positions, or undefined when it is elsewhere in the page. */
export function readSelection(root) {
  const selection = document.getSelection();
  const anchor = positionOf(root, selection.anchorNode, selection.anchorOffset);
  const head = positionOf(root, selection.focusNode, selection.focusOffset);
  if (anchor === undefined || head === undefined) return undefined;
  // Behind the last newline is no line: the last place is before it.
  const last = root.textContent.length - 1;
  return { anchor: Math.min(anchor, last), head: Math.min(head, last) };
}

export function writeSelection(root, { anchor, head }) {
  const selection = document.getSelection();
  const [from, to] = [placeOf(root, anchor), placeOf(root, head)];
  const isThere =
    selection.anchorNode === from.node &&
    selection.anchorOffset === from.offset &&
    selection.focusNode === to.node &&
    selection.focusOffset === to.offset;
  if (!isThere) selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

/** The part of the page between two positions. */
export function stretchBetween(root, start, end) {
  const stretch = document.createRange();
  const [from, to] = [placeOf(root, start), placeOf(root, end)];
  stretch.setStart(from.node, from.offset);
  stretch.setEnd(to.node, to.offset);
  return stretch;
}
