// json-server on a small database. `json-server.truth` says what it offers, after its documentation.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { started } from "./started.mjs";

const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
const DATABASE = {
  posts: numbers.map((id) => ({ id, title: `Post ${id}`, author: ["ann", "ben", "cleo"][id % 3], views: id * 10 })),
  comments: numbers.map((id) => ({ id, body: `Comment ${id}`, postId: 1 + (id % 6) })),
  countries: ["norway", "chile", "japan", "kenya", "fiji", "malta"].map((id) => ({ id, people: id.length * 1e6, coast: id !== "chile" })),
  profile: { name: "kim", theme: "light" },
};

export const start = () => {
  const program = createRequire(join(process.cwd(), "package.json")).resolve("json-server/lib/cli/bin.js");
  return started((port, folder) => {
    writeFileSync(join(folder, "db.json"), JSON.stringify(DATABASE));
    return ["node", program, "--quiet", "--host", "127.0.0.1", "--port", String(port), "db.json"];
  }, "/profile");
};

export const use = async (recorder) => {
  const [number, country] = [() => 1 + recorder.below(12), () => recorder.pick(DATABASE.countries).id];
  const added = [];
  const kinds = [
    () => recorder.ask("GET", "/posts"),
    () => recorder.ask("GET", `/posts?author=${recorder.pick(["ann", "ben", "cleo"])}`),
    () => recorder.ask("GET", `/posts/${number()}`),
    () => recorder.ask("GET", `/posts/${number()}/comments`),
    async () => added.push((await recorder.ask("POST", "/posts", { title: "New", author: "ann", views: 0 })).id),
    () => recorder.ask("PATCH", `/posts/${number()}`, { views: number() }),
    () => recorder.ask("PUT", `/posts/${number()}`, { title: "Other", author: "ben", views: number() }),
    () => recorder.ask("DELETE", `/posts/${added.pop()}`),
    () => recorder.ask("GET", "/comments"),
    () => recorder.ask("GET", `/comments/${number()}`),
    () => recorder.ask("GET", "/countries"),
    () => recorder.ask("GET", `/countries/${country()}`),
    () => recorder.ask("PATCH", `/countries/${country()}`, { coast: recorder.below(2) === 0 }),
    () => recorder.ask("GET", "/profile"),
    () => recorder.ask("PATCH", "/profile", { theme: recorder.pick(["light", "dark"]) }),
  ];
  for (let round = 0; round < 10; round++) for (const kind of kinds) await kind();
};
