// Lets Bombadil loose on a page for some seconds; prints the code that ran, the errors, and how often it acted. It drives a browser that
// is started here, so that its code can be counted; for that it must leave the scripts as they are.
// Usage: node bombadil.mjs BROWSER URL SECONDS, in the folder of the packages.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Coverage, limited } from "./coverage.mjs";

const require = createRequire(join(process.cwd(), "package.json"));
const WebSocket = createRequire(require.resolve("puppeteer-core"))("ws");
const [executablePath, url, seconds] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "bombadil-"));
const profile = join(folder, "profile");
const chrome = spawn(executablePath, ["--headless", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"], { stdio: "ignore" });
// The browser writes this file when it can be talked to.
const told = join(profile, "DevToolsActivePort");
for (const end = Date.now() + 30_000; !existsSync(told) || !readFileSync(told, "utf8").includes("\n"); ) {
  if (Date.now() > end) throw new Error("the browser does not start");
  await new Promise((later) => setTimeout(later, 50));
}
const [port, path] = readFileSync(told, "utf8").split("\n");

// The DevTools protocol without a library: those attach to every page and keep others from it.
const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false, maxPayload: 1 << 28 });
await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
const [waiting, hearing] = [new Map(), []];
let last = 0;
const send = (method, params = {}, sessionId = undefined) =>
  new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
  });
socket.on("message", (data) => {
  const { id, error, result, method, params, sessionId } = JSON.parse(data);
  if (!id) return hearing.forEach((hear) => hear(method, params, sessionId));
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  return error ? reject(new Error(error.message)) : resolve(result);
});

const [coverage, takes, errors] = [new Coverage(), new Map(), new Set()];
hearing.push(async (method, params, session) => {
  if (method === "Runtime.exceptionThrown") errors.add(params.exceptionDetails.exception?.description?.split("\n")[0] ?? params.exceptionDetails.text);
  if (method === "Target.detachedFromTarget") takes.delete(params.sessionId);
  if (method !== "Target.targetCreated" || params.targetInfo.type !== "page") return;
  const { sessionId } = await send("Target.attachToTarget", { targetId: params.targetInfo.targetId, flatten: true });
  const of = (method, params) => send(method, params, sessionId);
  const on = (event, heard) => hearing.push((method, params, session) => session === sessionId && method === event && heard(params));
  takes.set(sessionId, await coverage.watch(sessionId, of, on));
  await of("Runtime.enable");
});
await send("Target.setDiscoverTargets", { discover: true });

const trace = join(folder, "trace");
const bombadil = spawn(join(process.cwd(), "node_modules/.bin/bombadil"), [
  "browser", "test-external", "--remote-debugger", `http://127.0.0.1:${port}`, "--create-target", "--instrument-javascript=",
  "--width", "1280", "--height", "800", "--time-limit", `${Math.max(1, Math.round(Number(seconds)))}s`, "--output-path", trace, url,
], { stdio: ["ignore", "ignore", "inherit"] });
let isRunning = true;
const ended = new Promise((resolve) => bombadil.on("exit", resolve)).then(() => (isRunning = false));
// One that does not keep its own time is ended.
const late = setTimeout(() => bombadil.kill(), 1000 * Number(seconds) + 15_000);
while (isRunning) {
  for (const take of takes.values()) await limited(take());
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 300))]);
}
clearTimeout(late);
const file = join(trace, "trace.jsonl");
const actions = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).length : 0;
// A pipe takes some time for much text, and what is not written when the process ends is lost.
await new Promise((resolve) => process.stdout.write(JSON.stringify({ scripts: coverage.told(), errors: [...errors], actions }), resolve));
chrome.on("exit", () => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
});
chrome.kill();
