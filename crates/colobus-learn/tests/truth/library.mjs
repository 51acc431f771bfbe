// A library whose identifiers are names, dates, file paths and numbers of books. `library.truth` says what it offers.
import { createServer } from "node:http";

const AUTHORS = ["astrid-lindgren", "italo-calvino", "mary-shelley", "ursula-le-guin", "chinua-achebe", "stanislaw-lem", "toni-morrison", "jorge-borges", "selma-lagerlof", "karel-capek", "tove-jansson", "clarice-lispector"];
const SHELVES = ["fiction", "poems", "letters", "maps"];
const ISBN = ["9780141439471", "9780156439619", "9780441478125", "9780385474542", "9780156027601", "9781400033416"];
const FILES = ["notes.txt", "plans/2024.txt", "plans/2025/spring.txt", "scans/a/b/cover.png", "scans/a/map.png", "letters/to-anna.txt", "letters/old/1911/reply.txt"];

const author = (name) => ({ name, born: 1800 + name.length * 10, alive: name.length % 2 === 0, nick: name.length % 3 ? null : name.slice(0, 4) });
const book = (isbn) => ({ isbn, title: `Book ${isbn.slice(-3)}`, pages: Number(isbn.slice(-3)), shelf: SHELVES[Number(isbn.slice(-1)) % 4] });
const loan = (id) => ({ id, isbn: ISBN[id % ISBN.length], by: AUTHORS[id % AUTHORS.length], back: id % 3 === 0 });
const day = (date) => ({ date, open: !date.endsWith("7"), visitors: Number(date.slice(-2)) * 7, note: date.endsWith("1") ? "first" : null });
const file = (path) => ({ path, size: path.length * 100, kind: path.split(".").pop() });

const routes = [
  ["GET", /^\/authors$/, () => AUTHORS.map(author)],
  ["POST", /^\/authors$/, (_, { body }) => [201, author(body.name)]],
  ["GET", /^\/authors\/([^/]+)$/, ([name]) => ({ ...author(name), books: ISBN.slice(0, name.length % 4).map(book) })],
  ["DELETE", /^\/authors\/([^/]+)$/, () => [204]],
  ["GET", /^\/authors\/([^/]+)\/books$/, ([name]) => ISBN.slice(0, name.length % 4).map(book)],
  ["GET", /^\/books$/, (_, { query }) => ({ page: Number(query.get("page") ?? 1), items: ISBN.map(book), more: query.get("page") !== "3" })],
  ["GET", /^\/books\/(\d+)$/, ([isbn]) => ({ ...book(isbn), authors: AUTHORS.slice(0, 2), tags: [] })],
  ["PUT", /^\/books\/(\d+)\/shelf$/, ([isbn], { body }) => ({ isbn, shelf: body.shelf, moved: true })],
  ["GET", /^\/shelves$/, () => SHELVES],
  ["GET", /^\/shelves\/([^/]+)$/, ([name]) => ({ shelf: name, books: ISBN.length, full: name === "maps" })],
  ["GET", /^\/days\/([^/]+)$/, ([date]) => day(date)],
  ["GET", /^\/days\/([^/]+)\/loans$/, ([date]) => [loan(Number(date.slice(-2))), loan(3)]],
  ["GET", /^\/files\/(.+)\/history$/, ([path]) => [{ path, change: "created", lines: 3 }]],
  ["GET", /^\/files\/(.+)$/, ([path]) => file(path)],
  ["PUT", /^\/files\/(.+)$/, ([path]) => ({ ...file(path), saved: true })],
  ["POST", /^\/loans$/, (_, { body }) => [201, { ...loan(body.number), created: "2024-05-01T10:00:00Z" }]],
  ["GET", /^\/loans\/(\d+)$/, ([id]) => loan(Number(id))],
  ["POST", /^\/loans\/(\d+)\/return$/, ([id]) => ({ id: Number(id), back: true, fee: Number(id) % 2 ? 1.5 : 0 })],
  ["DELETE", /^\/loans$/, () => ({ deleted: 7 })],
  ["DELETE", /^\/loans\/(\d+)$/, () => [204]],
  ["GET", /^\/search$/, (_, { query }) => ({ q: query.get("q"), hits: ISBN.slice(0, query.get("q").length % 3).map(book) })],
  ["GET", /^\/me$/, () => ({ login: "kim", roles: ["reader"], since: "2020-02-02" })],
  ["GET", /^\/me\/settings$/, () => ({ theme: "dark", size: 12, beta: false })],
  ["PATCH", /^\/me\/settings$/, (_, { body }) => ({ theme: "dark", size: 12, beta: false, ...body })],
  ["GET", /^\/status$/, () => ({ up: true, version: "3.1", load: 0.25 })],
];

export const start = () =>
  new Promise((resolve) => {
    const server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url, "http://library");
      let text = "";
      for await (const part of request) text += part;
      for (const [method, pattern, answer] of routes) {
        const found = request.method === method && pattern.exec(decodeURIComponent(pathname));
        if (!found) continue;
        const made = answer(found.slice(1), { query: searchParams, body: text ? JSON.parse(text) : {} });
        const [status, body] = Array.isArray(made) && Number.isInteger(made[0]) ? made : [200, made];
        response.writeHead(status, body === undefined ? {} : { "Content-Type": "application/json" });
        return response.end(body === undefined ? "" : JSON.stringify(body));
      }
      response.writeHead(404, { "Content-Type": "application/json" }).end('{"error":"not there"}');
    });
    server.listen(0, "127.0.0.1", () => resolve({ base: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() }));
  });

export const use = async (recorder) => {
  const date = () => `2024-${String(1 + recorder.below(12)).padStart(2, "0")}-${String(1 + recorder.below(28)).padStart(2, "0")}`;
  const number = () => 100 + recorder.below(900);
  const author = () => encodeURIComponent(recorder.pick(AUTHORS));
  const kinds = [
    () => recorder.ask("GET", "/authors"),
    () => recorder.ask("POST", "/authors", { name: recorder.pick(AUTHORS) }),
    () => recorder.ask("GET", `/authors/${author()}`),
    () => recorder.ask("DELETE", `/authors/${author()}`),
    () => recorder.ask("GET", `/authors/${author()}/books`),
    () => recorder.ask("GET", `/books?page=${1 + recorder.below(3)}`),
    () => recorder.ask("GET", `/books/${recorder.pick(ISBN)}`),
    () => recorder.ask("PUT", `/books/${recorder.pick(ISBN)}/shelf`, { shelf: recorder.pick(SHELVES) }),
    () => recorder.ask("GET", "/shelves"),
    () => recorder.ask("GET", `/shelves/${recorder.pick(SHELVES)}`),
    () => recorder.ask("GET", `/days/${date()}`),
    () => recorder.ask("GET", `/days/${date()}/loans`),
    () => recorder.ask("GET", `/files/${recorder.pick(FILES)}`),
    () => recorder.ask("GET", `/files/${recorder.pick(FILES)}/history`),
    () => recorder.ask("PUT", `/files/${recorder.pick(FILES)}`, { text: "new" }),
    () => recorder.ask("POST", "/loans", { number: number() }),
    () => recorder.ask("GET", `/loans/${number()}`),
    () => recorder.ask("POST", `/loans/${number()}/return`, {}),
    () => recorder.ask("DELETE", "/loans"),
    () => recorder.ask("DELETE", `/loans/${number()}`),
    () => recorder.ask("GET", `/search?q=${recorder.pick(["moon", "sea", "robots", "a b"])}`),
    () => recorder.ask("GET", "/me"),
    () => recorder.ask("GET", "/me/settings"),
    () => recorder.ask("PATCH", "/me/settings", { size: 10 + recorder.below(5) }),
    () => recorder.ask("GET", "/status"),
  ];
  for (let round = 0; round < 10; round++) for (const kind of kinds) await kind();
};
