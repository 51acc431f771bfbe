// A chat as people write it: messages are posted, and pushed to everybody as events. The server thinks before it answers and
// again before it tells the others, each time for as long as the message says: `TEXT ANSWER_MS TELL_MS`.
"use strict";
const http = require("node:http");

const page = `<!doctype html><meta charset="utf-8"><title>chat</title><input id="text"><ul id="list"></ul><script>
  const doc = new URLSearchParams(location.search).get("doc");
  new EventSource("/events?doc=" + doc).onmessage = ({ data }) => {
    list.appendChild(document.createElement("li")).textContent = data;
  };
  text.addEventListener("keydown", async ({ key }) => {
    if (key !== "Enter") return;
    const said = text.value;
    text.value = "";
    const answer = await fetch("/say?doc=" + doc, { method: "POST", body: said });
    document.title = await answer.text();
  });
</script>`;
const listeners = new Map();

http
  .createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    const doc = url.searchParams.get("doc");
    if (url.pathname === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      listeners.set(doc, [...(listeners.get(doc) ?? []), response]);
    } else if (url.pathname === "/say") {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        const [said, answerMs, tellMs] = body.split(" ");
        setTimeout(() => {
          response.end(`heard ${said}`);
          setTimeout(() => {
            for (const listener of listeners.get(doc) ?? []) listener.write(`data: ${said}\n\n`);
          }, Number(tellMs));
        }, Number(answerMs));
      });
    } else {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(page);
    }
  })
  .listen(Number(process.env.PORT), "127.0.0.1", () => console.log("up"));
