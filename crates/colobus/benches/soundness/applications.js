// Small applications as people write them, each with a bug (`bug=1` in the address of its page) and without. The server thinks for
// `think` milliseconds before it does anything, and for up to `jitter` more, drawn from a seed.
"use strict";
const { createHash } = require("node:crypto");
const http = require("node:http");

let seed = 1;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

const documents = new Map();
const documentOf = (url) => {
  const name = url.searchParams.get("doc");
  if (!documents.has(name)) documents.set(name, { items: [], seat: undefined, version: 0, listeners: [], waiting: [] });
  return documents.get(name);
};
const thinking = (url) => Number(url.searchParams.get("think")) + random() * Number(url.searchParams.get("jitter"));

const page = (body) => `<!doctype html><meta charset="utf-8"><title>soundness</title>
<style>body { font: 16px monospace } input, button { font: inherit }</style>
<input id="text"><button id="go">go</button><p id="seat">free</p><ul id="list"></ul><script>
  const query = location.search;
  const bug = new URLSearchParams(query).get("bug") === "1";
  let items = [];
  const show = (shown) => {
    items = shown;
    list.replaceChildren(...items.map((item) => Object.assign(document.createElement("li"), { textContent: item })));
  };
  const send = async (method, path, body) => (await fetch(path + query, { method, body })).text();
  const load = async () => show(await (await fetch("/items" + query)).json());
  const taken = () => { const { value } = text; text.value = ""; return value; };
  const onEnter = (run) => text.addEventListener("keydown", ({ key }) => { if (key === "Enter") run(taken()); });
  // The bug of all lists: what others have added since the list was loaded is overwritten.
  const add = (item) => (bug ? send("PUT", "/items", JSON.stringify([...items, item])) : send("POST", "/items", item));
  ${body}
</script>`;

const pages = {
  // The bug: one's own messages are shown before those of others that the server got earlier.
  "/chat": page(`
    const me = crypto.randomUUID();
    const socket = new WebSocket("ws://" + location.host + "/socket" + query);
    socket.onmessage = ({ data }) => {
      const { from, text } = JSON.parse(data);
      if (!(bug && from === me)) show([...items, text]);
    };
    onEnter((text) => {
      if (bug) show([...items, text]);
      socket.send(JSON.stringify({ type: "say", from: me, text }));
    });`),
  "/events": page(`new EventSource("/events" + query).onmessage = load; onEnter(add); load();`),
  "/polling": page(`setInterval(load, 1000); onEnter(add); load();`),
  "/waiting": page(`
    (async () => {
      for (let version = 0; ; ) {
        const news = await (await fetch("/news" + query + "&version=" + version)).json();
        version = news.version;
        show(news.items);
      }
    })();
    onEnter(add);`),
  // The bug: the server looks whether the seat is free, and takes it later.
  "/booking": page(`
    const sits = (name) => { seat.textContent = name ? "seat of " + name : "free"; };
    go.onclick = async () => sits(await send("POST", "/seat", taken()));
    send("GET", "/seat").then(sits);`),
};

const changed = (document) => {
  document.version++;
  for (const response of document.listeners) response.write(`data: ${document.version}\n\n`);
  for (const answer of document.waiting.splice(0)) answer();
};

const server = http.createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  const document = documentOf(url);
  const reply = (value) => response.end(typeof value === "string" ? value : JSON.stringify(value));
  if (pages[url.pathname] && url.pathname !== "/events") {
    response.setHeader("content-type", "text/html");
    return reply(pages[url.pathname]);
  }
  if (url.pathname === "/events" && request.headers.accept !== "text/event-stream") {
    response.setHeader("content-type", "text/html");
    return reply(pages[url.pathname]);
  }
  if (url.pathname === "/events") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    document.listeners.push(response);
    return undefined;
  }
  if (url.pathname === "/news") {
    const answer = () => reply({ version: document.version, items: document.items });
    if (Number(url.searchParams.get("version")) < document.version) return answer();
    return document.waiting.push(answer);
  }
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    const saw = document.seat;
    setTimeout(() => {
      if (request.method === "GET") return reply(url.pathname === "/seat" ? (document.seat ?? "") : document.items);
      if (url.pathname === "/seat") {
        const holder = url.searchParams.get("bug") === "1" ? saw : document.seat;
        document.seat = holder ?? body;
        return reply(document.seat);
      }
      if (request.method === "PUT") document.items = JSON.parse(body);
      else document.items.push(body);
      reply("done");
      return changed(document);
    }, thinking(url));
  });
  return undefined;
});

// WebSockets with short messages ----------------------------------------------------------------------------------------
const [TEXT, PING, PONG] = [1, 9, 10];
const frame = (opcode, payload) => {
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length]), payload]);
};

server.on("upgrade", (request, socket) => {
  const url = new URL(request.url, "http://localhost");
  const document = documentOf(url);
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  const head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  socket.write(`${head.join("\r\n")}\r\nSec-WebSocket-Accept: ${key.digest("base64")}\r\n\r\n`);
  document.listeners.push(socket);
  socket.on("error", () => {});
  let buffer = Buffer.alloc(0);
  socket.on("data", (piece) => {
    buffer = Buffer.concat([buffer, piece]);
    for (;;) {
      if (buffer.length < 4) return;
      const long = (buffer[1] & 127) === 126;
      const start = long ? 4 : 2;
      const size = long ? buffer.readUInt16BE(2) : buffer[1] & 127;
      if (buffer.length < start + 4 + size) return;
      const mask = buffer.subarray(start, start + 4);
      const payload = Buffer.from(buffer.subarray(start + 4, start + 4 + size).map((byte, index) => byte ^ mask[index % 4]));
      const opcode = buffer[0] & 15;
      buffer = buffer.subarray(start + 4 + size);
      if (opcode === PING) socket.write(frame(PONG, payload));
      if (opcode !== TEXT) continue;
      // Whoever spoke first is heard first, however long the server thinks.
      document.last = Math.max(document.last ?? 0, Date.now() + thinking(url));
      setTimeout(() => document.listeners.forEach((listener) => listener.write(frame(TEXT, payload))), document.last - Date.now());
    }
  });
});

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
