// Draws the lines of the document into the editable root. Equal documents give equal elements.

import { sameAttributes } from './delta.js';

const MARKS = ['bold', 'italic', 'underline'];
const BLOCKS = ['heading', 'indent', 'list'];

export class View {
  #root;
  #flaws;
  #lines = [];
  /** For each line its element, and the block format that the element has. */
  #drawn = [];

  constructor(root, flaws = new Set()) {
    this.#root = root;
    this.#flaws = flaws;
  }

  /** Draws what changed. The user's own changes keep the elements, so that the caret stays where it is. */
  draw(document, own) {
    const lines = this.#flaws.has('cut-line') ? document.map(cut) : document;
    const before = this.#lines;
    this.#lines = lines;
    const shorter = Math.min(before.length, lines.length);
    let head = 0;
    while (head < shorter && sameLine(before[head], lines[head])) head += 1;
    let tail = 0;
    while (tail < shorter - head && sameLine(before.at(-1 - tail), lines.at(-1 - tail))) tail += 1;

    if (before.length === lines.length) {
      for (let index = head; index < lines.length - tail; index += 1) {
        this.#redraw(this.#drawn[index], before[index], lines[index], own);
      }
    } else {
      this.#replace(head, before.length - tail, lines.slice(head, lines.length - tail));
    }
    // An empty document invites to write.
    this.#root.toggleAttribute('data-empty', lines.length === 1 && lines[0].length === 0);
  }

  /** Draws everything anew, when the browser itself has changed the elements. */
  redrawAll() {
    this.#root.replaceChildren();
    this.#replace(0, this.#drawn.length, this.#lines);
  }

  #replace(from, to, lines) {
    const fresh = lines.map((line) => ({ element: build(line.runs, line.block), block: line.block }));
    const next = this.#drawn[to]?.element ?? null;
    for (const { element } of this.#drawn.splice(from, to - from, ...fresh)) element.remove();
    for (const { element } of fresh) this.#root.insertBefore(element, next);
  }

  #redraw(drawn, before, line, own) {
    if (!sameAttributes(before.block, line.block)) {
      paintBlock(drawn.element, line.block);
      drawn.stale = own && before.block.indent !== line.block.indent ? before.block : undefined;
      if (!(own && this.#flaws.has('indent-view'))) drawn.block = line.block;
    }
    if (!own && startsDifferently(before, line)) {
      // What a line begins with decides how it is laid out: it is built anew.
      const element = build(line.runs, this.#isStale(drawn, line) ? drawn.stale : drawn.block);
      drawn.element.replaceWith(element);
      drawn.element = element;
    } else if (!sameRuns(before, line)) {
      drawn.element.replaceChildren(...content(line.runs));
    }
  }

  /** The seeded bug `first-letter-view`: a line with its first letter is drawn as it was before the user's own indent. */
  #isStale(drawn, { runs }) {
    const isFirstLetter = runs.length === 1 && runs[0].text.length === 1 && Object.keys(runs[0].attributes ?? {}).length === 0;
    return this.#flaws.has('first-letter-view') && drawn.stale !== undefined && isFirstLetter;
  }
}

/** The line without what stands behind its eighth character. */
function cut(line) {
  let left = 8;
  const runs = line.runs.map(({ text, attributes }) => {
    const shown = text.slice(0, left);
    left -= shown.length;
    return { text: shown, attributes };
  });
  return { ...line, runs: runs.filter(({ text }) => text) };
}

const sameRuns = (one, other) => JSON.stringify(one.runs) === JSON.stringify(other.runs);
const sameLine = (one, other) => sameRuns(one, other) && sameAttributes(one.block, other.block);

function startsDifferently(before, line) {
  const [old, fresh] = [before, line].map(({ runs }) => runs[0]?.text ?? '');
  return old === '' ? fresh !== '' : !fresh.startsWith(old[0]) || fresh.length < old.length;
}

function build(runs, block) {
  const element = document.createElement('div');
  element.className = 'line';
  paintBlock(element, block);
  element.replaceChildren(...content(runs));
  return element;
}

function paintBlock(element, block) {
  // All taken away first: the attributes stand in one order, however the line came to have them.
  for (const key of BLOCKS) element.removeAttribute(`data-${key}`);
  for (const key of BLOCKS.filter((key) => block[key])) element.setAttribute(`data-${key}`, block[key]);
}

function content(runs) {
  return [...runs.map(run), document.createTextNode('\n')];
}

function run({ text, attributes }) {
  const element = document.createElement('span');
  const marks = MARKS.filter((mark) => attributes[mark]);
  if (marks.length) element.className = marks.join(' ');
  element.textContent = text;
  return element;
}
