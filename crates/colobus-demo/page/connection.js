// The WebSocket to the server: opens it, and opens it again when it is cut.

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1000;

export class Connection {
  /** `identity()` names the client when it comes back; `listener` is told: opened(), message(object), lost(). */
  constructor({ document, identity, listener }) {
    Object.assign(this, { document, identity, listener });
    this.retry = FIRST_RETRY_MS;
    globalThis.addEventListener('online', () => this.#reopenNow());
  }

  open() {
    const query = new URLSearchParams(this.identity());
    const socket = new WebSocket(`ws://${location.host}/socket?doc=${encodeURIComponent(this.document)}&${query}`);
    this.socket = socket;
    socket.onopen = () => {
      this.retry = FIRST_RETRY_MS;
      this.listener.opened();
    };
    socket.onmessage = ({ data }) => this.listener.message(JSON.parse(data));
    socket.onclose = () => this.#lost();
  }

  /** What cannot be sent is lost here; the session sends its edit again when the connection is back. */
  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #lost() {
    this.listener.lost();
    this.timer = setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(this.retry * 2, LONGEST_RETRY_MS);
  }

  #reopenNow() {
    if (this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.open();
  }
}
