// The seeded bug `tp2-peer`: no server decides the order. Each client integrates the edits as they come, by their
// vector clocks, with a transformation that two clients can rely on and three cannot: text at one place is ordered by
// the numbers of its authors, but a deletion moves texts to one place that were not there before.

import { compose, EMPTY_DOCUMENT } from './delta.js';
import { EARLIER, LATER, transform } from './transform.js';

const MOST_EDITS_RECALLED = 64;

export class PeerSession {
  constructor({ send, listener }) {
    Object.assign(this, { send, listener });
    this.client = undefined;
    this.#start(EMPTY_DOCUMENT, 0);
    this.seq = 0;
  }

  #start(document, revision) {
    Object.assign(this, { document, revision });
    /** The edits in the order in which this client made or received them. */
    this.log = [];
    this.clock = {};
    this.unconfirmed = [];
  }

  /** The document is empty again. Edits count from one: what others have seen of them is forgotten, too. */
  restart() {
    this.#start(EMPTY_DOCUMENT, 0);
    this.seq = 0;
  }

  get pending() {
    return this.unconfirmed.length > 0;
  }

  get identity() {
    return this.client === undefined ? undefined : { client: this.client, revision: this.revision };
  }

  welcome({ client, revision, document, edits }) {
    this.client = client;
    if (document) {
      this.#start(document, revision);
      this.listener.reset();
    }
    for (const edit of edits) this.receive(edit);
  }

  edit(op) {
    this.seq += 1;
    const edit = { client: this.client, seq: this.seq, op, clock: { ...this.clock } };
    this.#remember(edit);
    this.unconfirmed.push(edit);
    this.document = compose(this.document, op);
    this.#send(edit);
  }

  #send({ seq, op, clock }) {
    this.send({ type: 'edit', seq, revision: this.revision, op, clock });
  }

  #remember(edit) {
    this.clock[edit.client] = edit.seq;
    this.log.push(edit);
    if (this.log.length > MOST_EDITS_RECALLED) this.log.shift();
  }

  resend() {
    this.unconfirmed.forEach((edit) => this.#send(edit));
  }

  receive({ client, seq, revision, op, clock }) {
    this.revision = Math.max(this.revision, revision);
    if (client === this.client) {
      this.unconfirmed = this.unconfirmed.filter((edit) => edit.seq !== seq);
      if (!this.pending) this.listener.settled();
    } else if (seq > (this.clock[client] ?? 0)) {
      const edit = { client, seq, op, clock };
      const integrated = rebased(edit, this.log);
      this.#remember(edit);
      this.document = compose(this.document, integrated);
      this.listener.remoteEdit(integrated, client);
    }
  }

  place(range) {
    return range;
  }
}

const nameOf = ({ client, seq }) => `${client}.${seq}`;
const hasSeen = (edit, other) => (edit.clock[other.client] ?? 0) >= other.seq || edit.client === other.client;

/** The edit behind a log that holds all it has seen: the log is first put in an order in which those come first. */
function rebased(edit, log, known = new Map()) {
  const key = [edit, ...log].map(nameOf).join(' ');
  if (!known.has(key)) known.set(key, computeRebased(edit, log, known));
  return known.get(key);
}

function computeRebased(edit, log, known) {
  const seen = log.filter((other) => hasSeen(edit, other));
  const concurrent = log.filter((other) => !hasSeen(edit, other));
  return concurrent.reduce((op, other, index) => {
    const passed = rebased(other, [...seen, ...concurrent.slice(0, index)], known);
    return transform(op, passed, edit.client < other.client ? EARLIER : LATER);
  }, edit.op);
}
