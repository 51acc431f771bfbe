// Several sessions and a server in memory. Messages wait in queues until the test lets them pass, in any order that is
// first in, first out per direction; a connection may be cut at any time.

import { compose, EMPTY_DOCUMENT } from '../../page/delta.js';
import { orderOf, transform } from '../../page/transform.js';

/** The server's side, as src/text.rs has it. */
class Server {
  constructor(flaws) {
    this.flaws = flaws;
    this.document = EMPTY_DOCUMENT;
    this.edits = [];
  }

  accept(client, { seq, revision, op, clock }) {
    const known = this.edits.some((edit) => edit.client === client && edit.seq === seq);
    if (known && !this.flaws.has('reconnect-duplicate')) return undefined;
    let rebased = op;
    if (!this.flaws.has('tp2-peer')) {
      const rules = { losesFormatting: this.flaws.has('lost-formatting') };
      for (const edit of this.edits.slice(revision)) rebased = transform(rebased, edit.op, orderOf(client, edit.client), rules);
      this.document = compose(this.document, rebased);
    }
    const edit = { revision: this.edits.length + 1, client, seq, op: rebased, clock };
    this.edits.push(edit);
    return edit;
  }
}

class Client {
  constructor(SessionType, id, flaws) {
    this.up = [];
    this.down = [];
    this.online = true;
    this.session = new SessionType({
      flaws,
      send: (message) => this.online && this.up.push(message),
      listener: { reset() {}, remoteEdit() {}, settled() {} },
    });
    this.session.welcome({ client: id, revision: 0, document: EMPTY_DOCUMENT, edits: [] });
  }
}

export class World {
  constructor(SessionType, count, flaws = new Set()) {
    this.server = new Server(flaws);
    this.clients = Array.from({ length: count }, (_, index) => new Client(SessionType, index + 1, flaws));
  }

  /** The next message of a client reaches the server. */
  up(client) {
    const message = client.up.shift();
    const edit = message && this.server.accept(client.session.client, message);
    if (edit) this.clients.filter(({ online }) => online).forEach(({ down }) => down.push(edit));
  }

  /** The next message of the server reaches a client. */
  down(client) {
    const message = client.down.shift();
    if (message) client.session.receive(message);
  }

  /** The connection is cut: what was on its way in either direction is lost. */
  cut(client) {
    Object.assign(client, { online: false, up: [], down: [] });
  }

  comeBack(client) {
    if (client.online) return;
    client.online = true;
    const { client: id, revision } = client.session.identity;
    client.session.resend();
    client.session.welcome({ client: id, revision, edits: this.server.edits.slice(revision) });
  }

  settle() {
    this.clients.forEach((client) => this.comeBack(client));
    while (this.clients.some(({ up, down }) => up.length || down.length)) {
      for (const client of this.clients) {
        this.up(client);
        this.down(client);
      }
    }
  }

  documents() {
    return this.clients.map(({ session }) => JSON.stringify(session.document));
  }
}
