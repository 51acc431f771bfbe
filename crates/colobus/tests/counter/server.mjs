// A counter that several people share, over HTTP alone: additions are posted, and a long poll tells of those of others.
// Usage: node server.mjs PORT [stale]. With `stale`, pages take the answer to an addition of their own for the
// newest there is, however late it comes.

import { createServer } from "node:http";

const [port, flaw = ""] = process.argv.slice(2);

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>counter</title>
<p id="total">0</p>
<button id="one">+1</button> <button id="ten">+10</button>
<script>
  const room = location.search;
  let newest = 0;
  const show = ({ version, total }, own = false) => {
    if (version > newest || (own && ${flaw === "stale"})) document.getElementById("total").textContent = total;
    newest = Math.max(newest, version);
  };
  const add = (amount) => fetch("/add" + room, { method: "POST", body: String(amount) }).then((answer) => answer.json()).then((sum) => show(sum, true));
  one.onclick = () => add(1);
  ten.onclick = () => add(10);
  (async () => {
    for (;;) {
      const answer = await fetch("/newer" + room + "&than=" + newest).catch(() => null);
      if (answer) show(await answer.json());
      else await new Promise((later) => setTimeout(later, 50));
    }
  })();
</script>`;

const rooms = new Map();
const roomOf = (name) => {
  if (!rooms.has(name)) rooms.set(name, { version: 0, total: 0, waiting: [] });
  return rooms.get(name);
};

createServer((request, response) => {
  const url = new URL(request.url, "http://counter");
  const room = roomOf(url.searchParams.get("doc"));
  const answer = (to = response) =>
    to.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ version: room.version, total: room.total }));
  if (url.pathname === "/add") {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      room.version += 1;
      room.total += Number(body);
      for (const waiting of room.waiting.splice(0)) answer(waiting);
      answer();
    });
  } else if (url.pathname === "/newer") {
    if (room.version > Number(url.searchParams.get("than"))) answer();
    else room.waiting.push(response);
  } else if (url.pathname === "/") {
    response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  } else {
    response.writeHead(404).end();
  }
}).listen(port, "127.0.0.1", () => console.log(`counter on port ${port}`));
