// Lets gremlins.js loose on a page for some seconds; prints the code that ran, as the browser counts it, and the errors.
// Usage: node gremlins.mjs BROWSER URL SECONDS SEED, in the folder of the packages.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "package.json"));
const puppeteer = require("puppeteer-core");
const [executablePath, url, seconds, seed] = process.argv.slice(2);

const browser = await puppeteer.launch({ executablePath, headless: true, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 800 });
const errors = new Set();
page.on("pageerror", (error) => errors.add(String(error.message)));
page.on("dialog", (dialog) => dialog.dismiss());
const client = await page.createCDPSession();
const scripts = new Map();
client.on("Debugger.scriptParsed", ({ scriptId, url }) => url.startsWith("http") && scripts.set(scriptId, { url }));
await client.send("Debugger.enable");
await client.send("Debugger.setSkipAllPauses", { skip: true });
await client.send("Profiler.enable");
await client.send("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

// What ran since the last time, added to what ran before: code that is done may be forgotten by the browser.
const take = async () => {
  for (const { scriptId, functions } of (await client.send("Profiler.takePreciseCoverage")).result) {
    const script = scripts.get(scriptId);
    if (!script) continue;
    script.text ??= (await client.send("Debugger.getScriptSource", { scriptId })).scriptSource;
    script.ran ??= new Uint8Array(script.text.length);
    const now = new Uint8Array(script.text.length);
    const ranges = functions.flatMap(({ ranges }) => ranges);
    ranges.sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
    for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    now.forEach((ran, at) => (script.ran[at] |= ran));
  }
};

const path = join(process.cwd(), "node_modules/gremlins.js/dist/gremlins.min.js");
const unleash = async () => {
  await page.addScriptTag({ path });
  await page.evaluate((seed) => {
    const { Chance, createHorde, strategies, mogwais } = globalThis.gremlins;
    const horde = createHorde({ randomizer: new Chance(seed), mogwais: [mogwais.alert()], strategies: [strategies.distribution({ delay: 10, nb: 1e9 })] });
    horde.unleash();
  }, Number(seed));
};
// A page that was left is attacked again.
page.on("load", () => unleash().catch(() => {}));
await page.goto(url).catch(() => {});
const end = Date.now() + 1000 * Number(seconds);
const limited = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 3000))]);
while (Date.now() < end) {
  await limited(take().catch(() => {}));
  await new Promise((resolve) => setTimeout(resolve, 500));
}
await limited(take().catch(() => {}));
// One function around everything, with the ranges that did not run.
const told = [...scripts.values()].filter(({ text }) => text).map(({ url, text, ran }) => {
  const ranges = [{ startOffset: 0, endOffset: text.length, count: 1 }];
  for (let at = 0; at < ran.length; at++) {
    if (ran[at]) continue;
    const startOffset = at;
    while (at < ran.length && !ran[at]) at++;
    ranges.push({ startOffset, endOffset: at, count: 0 });
  }
  return { url, text, functions: [{ ranges }] };
});
console.log(JSON.stringify({ scripts: told, errors: [...errors] }));
await Promise.race([browser.close(), new Promise((resolve) => setTimeout(resolve, 3000))]);
process.exit(0);
