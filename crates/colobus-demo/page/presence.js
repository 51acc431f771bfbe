// Where everyone's carets and selections are. A client tells its own when the others cannot infer it: they move the
// author's caret with each edit themselves. It waits until its edits are confirmed, so that positions mean the same.

import { isCaret, rangeAfter, rangeOfAuthor, sameRange } from './ranges.js';

// Long, so that the bug that waits for it does not depend on how busy the machine is.
const TYPING_PAUSE_MS = 5000;

export class Presence {
  constructor({ session, send, flaws = new Set(), now = () => performance.now() }) {
    Object.assign(this, { session, send, flaws, now });
    this.restart();
  }

  /** No client has sent anything yet. */
  restart() {
    this.others = new Map();
    this.announced = undefined;
    this.lastEdit = -Infinity;
  }

  welcome(presence) {
    this.announced = undefined;
    this.others = new Map(Object.entries(presence).map(([client, range]) => [Number(client), this.session.place(range)]));
    this.others.delete(this.session.client);
  }

  /** Called after the user's own edit. */
  ownEdit(op) {
    this.lastEdit = this.now();
    this.announced = rangeOfAuthor(this.announced, op);
    if (this.flaws.has('stale-caret')) return;
    for (const [client, range] of this.others) this.others.set(client, rangeAfter(range, op));
  }

  remoteEdit(op, author) {
    // A selection is told again, a caret is not worth it: who transforms in which order may matter at its edges.
    const tellAgain = this.announced && !isCaret(this.announced);
    this.announced = tellAgain ? undefined : this.announced && rangeAfter(this.announced, op);
    for (const [client, range] of this.others) {
      const moved = client === author ? rangeOfAuthor(range, op) : rangeAfter(range, op);
      this.others.set(client, moved);
    }
  }

  receive({ client, range }) {
    const typing = this.session.pending || this.now() - this.lastEdit < TYPING_PAUSE_MS;
    // A bare caret is not worth a repaint while the user types: the next message moves it.
    if (this.flaws.has('stale-selection') && isCaret(range) && typing) return;
    this.others.set(client, this.session.place(range));
  }

  keepOnly(clients) {
    for (const client of this.others.keys()) {
      if (!clients.includes(client)) this.others.delete(client);
    }
  }

  /** Tells the others the user's selection if they cannot know it. */
  tell(range) {
    if (!range || this.session.pending || sameRange(range, this.announced)) return;
    this.announced = range;
    this.send({ type: 'presence', revision: this.session.revision, range });
  }
}
