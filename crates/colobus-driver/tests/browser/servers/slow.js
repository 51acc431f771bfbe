// Small applications as people write them, on a server that takes its time. Which one, the path says; how long the server thinks
// before it does anything, the query of the page (`think`, in milliseconds), or for one message what is typed: `TEXT THINK`.
"use strict";
const { createHash } = require("node:crypto");
const http = require("node:http");

const documents = new Map();
const documentOf = (url) => {
  const name = url.searchParams.get("doc");
  if (!documents.has(name)) documents.set(name, { items: [], seat: undefined, version: 0, listeners: [], waiting: [] });
  return documents.get(name);
};

const page = (body) => `<!doctype html><meta charset="utf-8"><title>slow</title><input id="text"><button id="go">go</button>
<p id="status">-</p><ul id="list"></ul><script>
  const query = location.search;
  const show = (items) => list.replaceChildren(...items.map((item) => Object.assign(document.createElement("li"), { textContent: item })));
  const post = async (path, body) => (await fetch(path + query, { method: "POST", body })).text();
  const said = () => { const { value } = text; text.value = ""; return value; };
  const onEnter = (run) => text.addEventListener("keydown", ({ key }) => { if (key === "Enter") run(said()); });
  const load = async () => show(await (await fetch("/items" + query)).json());
  ${body}
</script>`;

const pages = {
  // Everything that is said goes over a WebSocket, and comes back over it to everybody.
  "/chat": page(`
    const items = [];
    const socket = new WebSocket("ws://" + location.host + "/socket" + query);
    socket.onmessage = ({ data }) => { items.push(JSON.parse(data).text); show(items); };
    onEnter((value) => socket.send(JSON.stringify({ type: "say", text: value })));`),
  // Posted, and told to everybody as an event; each loads the list again then.
  "/events-todo": page(`
    new EventSource("/events" + query).onmessage = load;
    onEnter((value) => post("/items", value));
    load();`),
  "/interval-todo": page(`
    setInterval(load, 700);
    onEnter((value) => post("/items", value));
    load();`),
  "/chain-todo": page(`
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    (async () => { for (;;) { await load(); await pause(700); } })();
    onEnter((value) => post("/items", value));`),
  // Asks less and less often while nothing is new.
  "/backoff-todo": page(`
    let wait = 300;
    let known = "";
    const poll = async () => {
      const answer = await (await fetch("/items" + query)).text();
      wait = answer === known ? Math.min(wait * 2, 1100) : 300;
      known = answer;
      show(JSON.parse(answer));
      setTimeout(poll, wait);
    };
    onEnter((value) => post("/items", value));
    poll();`),
  // Polls by the same method and at the same address as it adds.
  "/rpc-todo": page(`
    const call = async (body) => JSON.parse(await post("/rpc", JSON.stringify(body)));
    const ask = async () => show(await call({ method: "list" }));
    setInterval(ask, 700);
    onEnter((value) => call({ method: "add", item: value }));
    ask();`),
  // A browser has six connections to a server. All are in use when something is added; one of them becomes free later.
  "/crowded-todo": page(`
    const streams = Array.from({ length: 6 }, () => new AbortController());
    for (const { signal } of streams) fetch("/events" + query, { signal });
    onEnter(async (value) => {
      setTimeout(() => streams[0].abort(), 700);
      await post("/items", value);
      show([value]);
    });`),
  // Asks for what is new; the server answers when there is something.
  "/waiting-todo": page(`
    let version = 0;
    (async () => {
      for (;;) {
        const news = await (await fetch("/news" + query + "&version=" + version)).json();
        version = news.version;
        show(news.items);
      }
    })();
    onEnter((value) => post("/items", value));`),
  "/booking": page(`
    go.onclick = async () => { document.getElementById("status").textContent = await post("/seat"); };`),
};

const changed = (document) => {
  document.version++;
  for (const response of document.listeners) response.write(`data: ${document.version}\n\n`);
  for (const answer of document.waiting.splice(0)) answer();
};

const server = http.createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  const document = documentOf(url);
  const think = Number(url.searchParams.get("think"));
  const reply = (value) => response.end(typeof value === "string" ? value : JSON.stringify(value));
  if (pages[url.pathname]) {
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
  request.on("end", () =>
    setTimeout(() => {
      if (request.method === "GET") return reply(document.items);
      if (url.pathname === "/seat") {
        const free = document.seat === undefined;
        document.seat = "taken";
        return reply(free ? "yours" : "taken");
      }
      if (url.pathname === "/rpc") {
        const { method, item } = JSON.parse(body);
        if (method === "add") document.items.push(item);
        return reply(document.items);
      }
      document.items.push(body);
      reply("done");
      return changed(document);
    }, think),
  );
  return undefined;
});

// WebSockets with short messages ----------------------------------------------------------------------------------------
const TEXT = 1;
const PING = 9;
const PONG = 10;
const frame = (opcode, payload) => {
  const head = payload.length < 126 ? [0x80 | opcode, payload.length] : [0x80 | opcode, 126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from(head), payload]);
};

server.on("upgrade", (request, socket) => {
  const url = new URL(request.url, "http://localhost");
  const document = documentOf(url);
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key.digest("base64")}\r\n\r\n`,
  );
  document.listeners.push(socket);
  socket.on("error", () => {});
  let buffer = Buffer.alloc(0);
  socket.on("data", (piece) => {
    buffer = Buffer.concat([buffer, piece]);
    for (;;) {
      const length = buffer[1] & 127;
      const start = length === 126 ? 4 : 2;
      const size = length === 126 ? buffer.readUInt16BE(2) : length;
      if (buffer.length < start + 4 + size) return;
      const mask = buffer.subarray(start, start + 4);
      const payload = Buffer.from(buffer.subarray(start + 4, start + 4 + size).map((byte, index) => byte ^ mask[index % 4]));
      const opcode = buffer[0] & 15;
      buffer = buffer.subarray(start + 4 + size);
      if (opcode === PING) socket.write(frame(PONG, payload));
      if (opcode !== TEXT) continue;
      const [said, think] = JSON.parse(String(payload)).text.split(" ");
      if (think === "never") continue;
      setTimeout(() => {
        const told = frame(TEXT, Buffer.from(JSON.stringify({ type: "said", text: said })));
        for (const listener of document.listeners) listener.write(told);
      }, Number(think ?? url.searchParams.get("think")));
    }
  });
});

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => console.log(server.address().port));
