// The user's side of the editor: input becomes commands, commands become edits. The browser never changes the text
// itself; it only keeps the selection, which is read before every command.

import * as commands from './commands.js';
import { invert } from './delta.js';
import { commandOfInput, commandOfKey } from './keys.js';
import { lineAt, linesOf } from './lines.js';
import { readSelection, writeSelection } from './places.js';
import { caret, caretBehind, endOf, isCaret, rangeAfter, sameRange, startOf } from './ranges.js';
import { UndoHistory } from './undo.js';

export class Editor {
  /** `redraw` is called after everything that others may have to see. */
  constructor({ root, toolbar, session, presence, view, flaws, redraw }) {
    Object.assign(this, { root, session, presence, view, flaws, redraw });
    this.range = undefined;
    this.marks = undefined;
    this.composing = false;
    this.history = new UndoHistory();
    this.#listen(toolbar);
  }

  #listen(toolbar) {
    document.addEventListener('selectionchange', () => this.#noticeSelection());
    this.root.addEventListener('keydown', (event) => this.#run(event, commandOfKey(event), event.shiftKey));
    this.root.addEventListener('beforeinput', (event) => this.#beforeInput(event));
    this.root.addEventListener('compositionstart', () => {
      this.#pullSelection();
      this.composing = true;
    });
    this.root.addEventListener('compositionend', ({ data }) => this.#composed(data));
    // A button must not take the focus: the selection in the text is what it works on.
    toolbar.addEventListener('mousedown', (event) => event.preventDefault());
    toolbar.addEventListener('click', (event) => {
      this.#run(event, event.target.closest('[data-command]')?.dataset.command, false, this.remembered);
    });
  }

  /** The document is another one. */
  reset() {
    this.history.clear();
    this.marks = undefined;
    const last = linesOf(this.session.document).at(-1);
    const within = (position) => Math.min(position, last.start + last.length);
    const range = this.range && { anchor: within(this.range.anchor), head: within(this.range.head) };
    this.#show(range, false);
  }

  /** The document is empty again, and so is what the user did; the caret is where a page has it that was just loaded. */
  restart() {
    this.history.clear();
    this.composing = false;
    this.#select(caret(0));
    this.view.redrawAll();
    this.#show(this.range, false);
  }

  /** `before` is the document without it. */
  remoteEdit(op, before) {
    this.#pullSelection();
    this.history.remoteEdit(op);
    if (this.flaws.has('forgotten-redo')) this.history.forgetUndone();
    if (this.flaws.has('undo-others')) this.history.record(invert(op, before));
    this.#show(this.range && rangeAfter(this.range, op), false);
  }

  #noticeSelection() {
    if (this.#pullSelection()) this.redraw();
  }

  /** Takes over the selection of the page; says whether the user moved it. */
  #pullSelection() {
    // What the browser shows of a composition is not in the document: there is no position behind it.
    if (this.composing) return false;
    const range = readSelection(this.root);
    if (!range || sameRange(range, this.range)) return false;
    this.#select(range);
    return true;
  }

  #select(range) {
    this.range = range;
    this.marks = undefined;
    this.remembered = { range, revision: this.session.revision };
  }

  #show(range, own) {
    const inText = document.activeElement === this.root || readSelection(this.root) !== undefined;
    this.view.draw(linesOf(this.session.document), own);
    this.range = range;
    if (range && inText) writeSelection(this.root, range);
  }

  #run(event, command, extend = false, remembered = undefined) {
    if (!command) return;
    event.preventDefault();
    this.#pullSelection();
    const late = this.flaws.has('between-steps') && !this.session.pending ? remembered : undefined;
    const range = late?.range ?? this.range ?? caret(0);
    const target = this.#motion(command, range, extend);
    if (target !== undefined) this.#move(range, target, extend);
    else this.#apply(this.#command(command, range), late?.revision);
  }

  #motion(command, range, extend) {
    const { document } = this.session;
    const lines = linesOf(document);
    const line = lineAt(lines, range.head);
    // An arrow without Shift leaves a selection at its edge.
    const collapses = !extend && !isCaret(range);
    switch (command) {
      case 'left':
        return collapses ? startOf(range) : commands.previousPosition(document, range.head);
      case 'right':
        return collapses ? endOf(range) : commands.nextPosition(document, range.head);
      case 'line-start':
        return line.start;
      case 'line-end':
        return line.start + line.length;
      case 'document-start':
        return 0;
      case 'document-end':
        return lines.at(-1).start + lines.at(-1).length;
      default:
        return undefined;
    }
  }

  #move(range, target, extend) {
    this.#select(extend ? { anchor: range.anchor, head: target } : caret(target));
    writeSelection(this.root, this.range);
    this.redraw();
  }

  #command(command, range) {
    const { document } = this.session;
    switch (command) {
      case 'bold':
      case 'italic':
      case 'underline':
        return isCaret(range) ? this.#toggleNextMark(command, range) : commands.toggleMark(document, range, command);
      case 'list':
      case 'heading':
        return commands.toggleBlock(document, range, command);
      case 'indent':
        return commands.indent(document, range, 1);
      case 'outdent':
        return commands.indent(document, range, -1);
      case 'break':
        return commands.breakLine(document, range);
      case 'delete-backward':
        return commands.deleteBackward(document, range);
      case 'delete-forward':
        return commands.deleteForward(document, range);
      case 'undo':
      case 'redo':
        return this.#step(command === 'undo', range);
      default:
        return undefined;
    }
  }

  /** Without a selection a mark is for the text typed next. */
  #toggleNextMark(mark, range) {
    const { [mark]: isOn, ...others } = this.marks ?? commands.inheritedMarks(this.session.document, range.head);
    this.marks = isOn ? others : { ...others, [mark]: true };
  }

  #step(backwards, range) {
    const op = this.history.step(backwards, (step) => invert(step, this.session.document));
    return op && { op, range: caretBehind(op) ?? rangeAfter(range, op), isStep: true };
  }

  #apply(result, madeAt) {
    if (!result || result.op.length === 0) return;
    if (!result.isStep) this.history.record(invert(result.op, this.session.document));
    this.session.edit(result.op, madeAt);
    this.presence.ownEdit(result.op);
    this.#select(result.range);
    this.#show(result.range, true);
    this.redraw();
  }

  #beforeInput(event) {
    // A composition is drawn by the browser; its text is taken over when it ends.
    if (event.inputType === 'insertCompositionText') return;
    event.preventDefault();
    const command = commandOfInput(event.inputType);
    if (command) {
      this.#run(event, command);
      return;
    }
    if (/^delete/.test(event.inputType)) {
      this.#deleteNative(event);
      return;
    }
    const text = event.data ?? event.dataTransfer?.getData('text/plain');
    if (text && event.inputType.startsWith('insert')) this.#type(text);
  }

  #type(text) {
    this.#pullSelection();
    const range = this.range ?? caret(0);
    this.#apply(commands.insertText(this.session.document, range, text, this.marks));
  }

  /** Deleting by word or line: the browser knows how far. */
  #deleteNative(event) {
    const [target] = event.getTargetRanges();
    if (!target) return;
    const selection = document.getSelection();
    selection.setBaseAndExtent(target.startContainer, target.startOffset, target.endContainer, target.endOffset);
    this.#run(event, 'delete-backward');
  }

  #composed(text) {
    this.composing = false;
    this.view.redrawAll();
    writeSelection(this.root, this.range ?? caret(0));
    if (text) this.#type(text);
  }
}
