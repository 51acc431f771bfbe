// The user's own edits, to be taken back one by one; what others do in between is left alone.

import { EARLIER, LATER, transform } from './transform.js';

const MOST_STEPS = 200;

export class UndoHistory {
  #done = [];
  #undone = [];

  clear() {
    this.#done = [];
    this.#undone = [];
  }

  /** Remembers how to take an edit back; a new edit ends what could be done again. */
  record(inverse) {
    this.#done.push(inverse);
    if (this.#done.length > MOST_STEPS) this.#done.shift();
    this.#undone = [];
  }

  /** Someone else's edit came in: every remembered step is rebased onto it. */
  remoteEdit(op) {
    this.#done = rebased(this.#done, op);
    this.#undone = rebased(this.#undone, op);
  }

  forgetUndone() {
    this.#undone = [];
  }

  /** The next step back (or forth again); `invert` tells how to take that one back in turn. */
  step(backwards, invert) {
    const [from, to] = backwards ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const op = from.pop();
    if (op) to.push(invert(op));
    return op;
  }
}

function rebased(steps, op) {
  const result = [];
  let against = op;
  for (const step of steps.toReversed()) {
    result.unshift(transform(step, against, LATER));
    against = transform(against, step, EARLIER);
  }
  return result;
}
