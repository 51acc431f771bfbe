// A client's side of the document: its own edits are shown at once, one of them is on its way to the server, the others
// wait in a buffer; edits of others are rebased onto both. The server decides what comes after what.

import { compose, EMPTY_DOCUMENT } from './delta.js';
import { rangeAfter } from './ranges.js';
import { orderOf, transform } from './transform.js';

const insertedText = (op) => op.map((component) => component.insert ?? '').join('');
/** No user types three letters at once. */
const pastes = (op) => insertedText(op).length > 2;
const types = (op) => /^[^\n]{1,2}$/.test(insertedText(op)) && op.every((component) => !component.attributes);
const pasteBesideTyping = (one, other) => (pastes(one) && types(other)) || (types(one) && pastes(other));

export class Session {
  /**
   * `listener` is told: reset(), remoteEdit(op, author, before), settled(). `later(run)` runs something when an answer should
   * have come long ago. `flaws` are the seeded bugs.
   */
  constructor({ send, listener, later = () => {}, flaws = new Set() }) {
    Object.assign(this, { send, listener, later, flaws });
    this.document = EMPTY_DOCUMENT;
    this.revision = 0;
    this.client = undefined;
    this.seq = 0;
    this.inflight = undefined;
    this.buffer = undefined;
    this.aside = false;
  }

  /** The document is empty again, here and at the server. Edits keep counting: a retry of an earlier one must not be taken for a new one. */
  restart() {
    Object.assign(this, { document: EMPTY_DOCUMENT, revision: 0, inflight: undefined, buffer: undefined, aside: false });
  }

  get pending() {
    return this.inflight !== undefined;
  }

  /** What the server must know of a client that comes back. */
  get identity() {
    return this.client === undefined ? undefined : { client: this.client, revision: this.revision };
  }

  welcome({ client, revision, document, edits }) {
    this.client = client;
    if (document) {
      Object.assign(this, { document, revision, inflight: undefined, buffer: undefined });
      this.listener.reset();
    }
    // The seeded bug `missed-line`: what was pasted is still on its way, and the lines of others are forgotten over it.
    const forgets = this.flaws.has('missed-line') && pastes(this.inflight?.op ?? []);
    for (const edit of edits) {
      if (!(forgets && edit.client !== client && insertedText(edit.op).includes('\n'))) this.receive(edit);
    }
  }

  /** An edit of the user. `madeAt` is the revision that its positions refer to, if not the current one. */
  edit(op, madeAt = this.revision) {
    this.document = compose(this.document, op);
    if (this.inflight) {
      this.buffer = this.buffer ? compose(this.buffer, op) : op;
    } else {
      this.#dispatch(op, madeAt);
    }
  }

  #dispatch(op, revision) {
    this.seq += 1;
    this.inflight = { op, seq: this.seq };
    this.#sendInflight(revision);
    const { seq } = this;
    this.later(() => this.inflight?.seq === seq && this.retry());
  }

  /** The acknowledgement takes long: the server gets the edit once more, and knows it by its number. */
  retry() {
    if (!this.inflight) return;
    if (this.flaws.has('retry-duplicate')) {
      this.seq += 1;
      this.inflight.seq = this.seq;
    }
    this.#sendInflight(this.revision);
  }

  #sendInflight(revision) {
    this.send({ type: 'edit', seq: this.inflight.seq, revision, op: this.inflight.op });
  }

  /** After a reconnect: the server may or may not have the edit on its way; it knows it by its number. */
  resend() {
    if (this.inflight) this.#sendInflight(this.revision);
  }

  /** An edit in the server's order, the client's own as well. */
  receive({ client, seq, revision, op }) {
    if (client === this.client) {
      this.revision = Math.max(this.revision, revision);
      if (seq === this.inflight?.seq) this.#acknowledged();
    } else if (this.#putsAside()) {
      this.aside = true;
    } else if (revision > this.revision) {
      this.revision = revision;
      this.#integrate(op, client);
    }
  }

  #acknowledged() {
    const next = this.buffer;
    this.inflight = this.buffer = undefined;
    if (next) this.#dispatch(next, this.revision);
    else this.listener.settled();
    if (this.aside) {
      this.aside = false;
      this.send({ type: 'resync' });
    }
  }

  /** The seeded bug `late-edit`: the first edit that comes while an own one is on its way waits for that; later ones do not. */
  #putsAside() {
    return this.flaws.has('late-edit') && this.pending && !this.aside;
  }

  #integrate(op, author) {
    let remote = op;
    if (this.inflight) {
      [remote, this.inflight.op] = this.#cross(remote, author, this.inflight.op);
    }
    if (this.buffer) {
      const [passed, rebased] = this.#cross(remote, author, this.buffer);
      remote = passed;
      if (!this.flaws.has('ack-overtaken')) this.buffer = rebased;
    }
    const before = this.document;
    this.document = compose(before, remote);
    this.listener.remoteEdit(remote, author, before);
  }

  /** The remote edit behind the local one, and the local one behind the remote one. */
  #cross(remote, author, local) {
    const right = [orderOf(author, this.client), orderOf(this.client, author)];
    const isCrossed = this.flaws.has('insert-order') || (this.flaws.has('paste-order') && pasteBesideTyping(remote, local));
    const [first, second] = isCrossed ? right.toReversed() : right;
    const rules = { losesFormatting: this.flaws.has('lost-formatting') };
    return [transform(remote, local, first, rules), transform(local, remote, second, rules)];
  }

  /** A range that refers to the server's document, in the document as it is here. */
  place(range) {
    const unconfirmed = [this.inflight?.op, this.buffer].filter(Boolean);
    return unconfirmed.reduce(rangeAfter, range);
  }
}
