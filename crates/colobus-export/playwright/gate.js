// How long a message is waited for whose turn has come. An application without the bug may not send it at all. A request that
// reads and stays open for so long is a long poll.
const PATIENCE_MS = 2000;

// What passes between one client and the application. While the gate is held, messages queue up, first in, first out
// for each direction of each connection; connections have numbers in the order of opening.
class Gate {
  held = false;
  offline = false;
  /** Connections that are opened now are not held. */
  #admits = false;
  /** Grows with every message that comes or goes. */
  moved = 0;
  #connections = [];
  #numbered = [];
  /** Requests that the server has got and not answered. */
  #unanswered = new Set();
  /** Paths that were asked for and not answered for a long time. */
  #longPolls = new Set();

  async guard(context) {
    await context.routeWebSocket(/.*/, (socket) => this.#openSocket(socket));
    await context.route("**/*", (route) => this.#exchange(route));
  }

  /** Whether an answer is on its way. While messages are held, the server may need one of them to give it. */
  get awaitsAnswer() {
    for (const request of this.#unanswered) {
      const waited = Date.now() - request.since;
      if (request.reads && waited > PATIENCE_MS) this.#longPolls.add(request.path);
    }
    const isAwaited = ({ reads, path, since }) =>
      reads ? !this.#longPolls.has(path) : !this.held || Date.now() - since < PATIENCE_MS;
    return [...this.#unanswered].some(isAwaited);
  }

  hold() {
    this.held = true;
    const unknown = this.#connections.filter((connection) => !this.#numbered.includes(connection));
    this.#numbered.push(...unknown);
  }

  admit(may) {
    this.#admits = may;
    if (!may) for (const connection of this.#connections) connection.free = false;
  }

  /** Lets the oldest message of one direction of one connection through; false if none came in time. */
  async deliver(direction, number) {
    const first = () => this.#numbered[number - 1]?.queue.find((message) => message.direction === direction);
    await until(() => first() !== undefined, PATIENCE_MS);
    const message = first();
    if (message) this.#let(message);
    return message !== undefined;
  }

  /** Lets everything through that waits, in the order in which it came. */
  release(...directions) {
    const waiting = this.#connections.flatMap(({ queue }) => queue);
    const leaving = waiting.filter(({ direction }) => directions.includes(direction));
    for (const message of leaving.sort((one, other) => one.arrival - other.arrival)) this.#let(message);
  }

  open() {
    this.release(">", "<");
    this.held = false;
  }

  /** Open connections end, and what they held is lost. */
  cut() {
    this.offline = true;
    for (const connection of [...this.#connections]) {
      this.#close(connection);
      connection.break();
    }
  }

  #connect(breakIt) {
    const connection = { queue: [], break: breakIt, free: this.#admits };
    this.#connections.push(connection);
    if (this.held) this.#numbered.push(connection);
    return connection;
  }

  #close(connection) {
    this.#connections = this.#connections.filter((other) => other !== connection);
    connection.queue = [];
    this.moved += 1;
  }

  #arrive(connection, direction, go) {
    if (!this.#connections.includes(connection)) return;
    this.moved += 1;
    const message = { connection, direction, go, arrival: this.moved };
    if (this.held && !connection.free) connection.queue.push(message);
    else go();
  }

  #let(message) {
    this.moved += 1;
    message.connection.queue = message.connection.queue.filter((other) => other !== message);
    message.go();
  }

  /** The handshake is a request like any other. Its answer cannot be held: the page knows as soon as the browser does. */
  #openSocket(socket) {
    return new Promise((opened) => {
      const breakIt = () => {
        socket.close({ code: 1006 });
        opened();
      };
      if (this.offline) return breakIt();
      const handshake = this.#connect(breakIt);
      this.#arrive(handshake, ">", () => {
        this.#carry(socket);
        opened();
        this.#arrive(handshake, "<", () => this.#close(handshake));
      });
    });
  }

  #carry(socket) {
    const server = socket.connectToServer();
    const connection = this.#connect(() => {
      socket.close({ code: 1006 });
      server.close();
    });
    const ends = (end) => (code, reason) => {
      this.#close(connection);
      // Browsers let pages send no other codes than these.
      end.close(code === 1000 || code >= 3000 ? { code, reason } : {});
    };
    socket.onMessage((data) => this.#arrive(connection, ">", () => server.send(data)));
    server.onMessage((data) => this.#arrive(connection, "<", () => socket.send(data)));
    socket.onClose((...why) => this.#arrive(connection, ">", () => ends(server)(...why)));
    server.onClose((...why) => this.#arrive(connection, "<", () => ends(socket)(...why)));
  }

  async #answer(route) {
    const [reads, path] = [route.request().method() === "GET", new URL(route.request().url()).pathname];
    const asked = { reads, path, since: Date.now() };
    this.#unanswered.add(asked);
    try {
      return await route.fetch({ timeout: 0 });
    } finally {
      this.#unanswered.delete(asked);
    }
  }

  async #exchange(route) {
    if (this.offline) return route.abort("internetdisconnected");
    const request = route.request();
    // Playwright shows a response when all of it is there: a stream of events would never arrive.
    const streams = request.headers().accept?.includes("text/event-stream");
    const mayWait = this.held || ["fetch", "xhr"].includes(request.resourceType());
    // It has its number all the same.
    if (streams) this.#connect(() => {});
    if (streams || !mayWait) return route.continue();
    const connection = this.#connect(() => route.abort("connectionfailed").catch(() => {}));
    try {
      await new Promise((go) => this.#arrive(connection, ">", go));
      const response = await this.#answer(route);
      await new Promise((go) => this.#arrive(connection, "<", go));
      await route.fulfill({ response });
    } catch {
      // The page left, or the application broke the connection off.
      await route.abort().catch(() => {});
    }
    this.#close(connection);
  }
}
