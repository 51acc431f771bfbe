// Lets gremlins.js loose on a page for some seconds; prints the code that ran, the errors, and how often a gremlin acted.
// Usage: node gremlins.mjs BROWSER URL SECONDS SEED, in the folder of the packages.
import { createRequire } from "node:module";
import { join } from "node:path";
import { Coverage, limited } from "./coverage.mjs";

const require = createRequire(join(process.cwd(), "package.json"));
const puppeteer = require("puppeteer-core");
const [executablePath, url, seconds, seed] = process.argv.slice(2);

const browser = await puppeteer.launch({ executablePath, headless: true, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 800 });
const errors = new Set();
let actions = 0;
page.on("pageerror", (error) => errors.add(String(error.message)));
page.on("dialog", (dialog) => dialog.dismiss());
await page.exposeFunction("gremlinActed", (count) => (actions += count));
const client = await page.createCDPSession();
const coverage = new Coverage();
const take = await coverage.watch("page", (method, params) => client.send(method, params), (event, heard) => client.on(event, heard));

const path = join(process.cwd(), "node_modules/gremlins.js/dist/gremlins.min.js");
const unleash = async () => {
  await page.addScriptTag({ path });
  await page.evaluate((seed) => {
    const { Chance, createHorde, species, strategies, mogwais } = globalThis.gremlins;
    // Every gremlin logs what it does, if it is told to.
    const all = Object.values(species).map((make) => make({ log: true }));
    let acted = 0;
    const logger = { log: () => acted++, info() {}, warn() {}, error() {} };
    setInterval(() => acted && gremlinActed(acted).then((acted = 0)), 100);
    const horde = createHorde({ randomizer: new Chance(seed), logger, species: all, mogwais: [mogwais.alert()], strategies: [strategies.distribution({ delay: 10, nb: 1e9 })] });
    horde.unleash();
  }, Number(seed));
};
// A page that was left is attacked again.
page.on("load", () => unleash().catch((error) => console.error(String(error))));
await page.goto(url).catch(() => {});
const end = Date.now() + 1000 * Number(seconds);
while (Date.now() < end) {
  await limited(take());
  await new Promise((resolve) => setTimeout(resolve, 500));
}
await limited(take());
// A pipe takes some time for much text, and what is not written when the process ends is lost.
await new Promise((resolve) => process.stdout.write(JSON.stringify({ scripts: coverage.told(), errors: [...errors], actions }), resolve));
await limited(browser.close());
process.exit(0);
