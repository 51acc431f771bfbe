// A help desk as servers were once written: sessions in paths, an `action` parameter, calls on one URL. `desk.truth` says what
// it offers.
import { createServer } from "node:http";

const SESSIONS = ["8f14e45fceea167a5a36dedd4bea2543", "c9f0f895fb98ab9159f51fd0297e236d", "45c48cce2e2d7fbdea1afc51c7c6ad26"];
const TOPICS = ["printers", "network", "mail", "phones", "keys"];
const ticket = (id) => ({ id, topic: TOPICS[id % TOPICS.length], open: id % 2 === 0, by: id % 5 ? "kim" : null });

const CALLS = {
  "ticket.read": ({ id }) => ticket(id),
  "ticket.close": ({ id }) => ({ id, closed: true }),
  "ticket.list": () => ({ tickets: [ticket(1), ticket(2)], total: 2 }),
  "user.whoami": () => ({ login: "kim", mail: "kim@example.org" }),
};
const QUERIES = {
  Ticket: ({ id }) => ({ ticket: ticket(Number(id)) }),
  Topics: () => ({ topics: TOPICS.map((name) => ({ name })) }),
  Close: ({ id }) => ({ close: { id, ok: true } }),
};

const answer = (method, path, query, text) => {
  const [first, session, ...rest] = path;
  if (first === "s" && SESSIONS.includes(session)) {
    const action = new URLSearchParams(method === "POST" ? text : query).get("action");
    const id = Number(new URLSearchParams(query).get("id"));
    if (rest[0] === "desk" && method === "GET" && action === "list") return { rows: [ticket(3), ticket(4)], page: 1 };
    if (rest[0] === "desk" && method === "GET" && action === "read") return ticket(id);
    if (rest[0] === "desk" && method === "GET" && action === "count") return { open: 12, closed: 30 };
    if (rest[0] === "desk" && method === "POST" && action === "add") return { added: 17, rows: [ticket(17)] };
    if (rest[0] === "desk" && method === "POST" && action === "move") return { moved: true, from: "mail", to: "keys" };
    if (rest[0] === "profile") return { login: "kim", photo: null, seen: "2024-03-01T08:00:00Z" };
    if (rest[0] === "topics" && rest[1]) return { topic: rest[1], tickets: [ticket(5)], owner: "lee" };
    if (rest[0] === "topics") return TOPICS;
  }
  if (first === "rpc") {
    const { id, method: name, params } = JSON.parse(text);
    return { jsonrpc: "2.0", id, result: CALLS[name](params) };
  }
  if (first === "graphql") {
    const { operationName, variables } = JSON.parse(text);
    return { data: QUERIES[operationName](variables) };
  }
  if (first === "queue" && method === "DELETE") return session ? { deleted: Number(session) } : { emptied: true, count: 4 };
  if (first === "queue" && session) return { ...ticket(Number(session)), waiting: 3 };
  if (first === "queue") return { next: ticket(6), length: 9 };
  return undefined;
};

export const start = () =>
  new Promise((resolve) => {
    const server = createServer(async (request, response) => {
      const { pathname, search } = new URL(request.url, "http://desk");
      let text = "";
      for await (const part of request) text += part;
      const made = answer(request.method, pathname.slice(1).split("/"), search, text);
      response.writeHead(made ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(made ?? { error: "no" }));
    });
    server.listen(0, "127.0.0.1", () => resolve({ base: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() }));
  });

export const use = async (recorder) => {
  const number = () => 1 + recorder.below(500);
  const at = (rest) => `/s/${recorder.pick(SESSIONS)}/${rest}`;
  const call = (method, params) => recorder.ask("POST", "/rpc", { jsonrpc: "2.0", id: number(), method, params });
  const query = (operationName, variables) => recorder.ask("POST", "/graphql", { operationName, query: `query ${operationName} { x }`, variables });
  const kinds = [
    () => recorder.ask("GET", at("desk?action=list")),
    () => recorder.ask("GET", at(`desk?action=read&id=${number()}`)),
    () => recorder.ask("GET", at("desk?action=count")),
    () => recorder.ask("POST", at("desk"), new URLSearchParams({ action: "add", topic: recorder.pick(TOPICS) })),
    () => recorder.ask("POST", at("desk"), new URLSearchParams({ action: "move", id: number(), to: recorder.pick(TOPICS) })),
    () => recorder.ask("GET", at("profile")),
    () => recorder.ask("GET", at("topics")),
    () => recorder.ask("GET", at(`topics/${recorder.pick(TOPICS)}`)),
    () => call("ticket.read", { id: number() }),
    () => call("ticket.close", { id: number() }),
    () => call("ticket.list", {}),
    () => call("user.whoami", {}),
    () => query("Ticket", { id: String(number()) }),
    () => query("Topics", {}),
    () => query("Close", { id: String(number()) }),
    () => recorder.ask("GET", "/queue"),
    () => recorder.ask("GET", `/queue/${number()}`),
    () => recorder.ask("DELETE", "/queue"),
    () => recorder.ask("DELETE", `/queue/${number()}`),
  ];
  for (let round = 0; round < 10; round++) for (const kind of kinds) await kind();
};
