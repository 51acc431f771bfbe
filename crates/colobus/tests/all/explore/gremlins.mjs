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
await page.coverage.startJSCoverage({ includeRawScriptCoverage: true, resetOnNavigation: false });

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
const over = new Promise((resolve) => setTimeout(resolve, 1000 * Number(seconds)));
await page.goto(url).catch(() => {});
await over;
const stopped = await Promise.race([page.coverage.stopJSCoverage(), new Promise((resolve) => setTimeout(() => resolve([]), 5000))]);
const own = stopped.filter((entry) => entry.url.startsWith("http") && entry.text.length > 0);
const scripts = own.map(({ url, text, rawScriptCoverage }) => ({ url, text, functions: rawScriptCoverage.functions }));
console.log(JSON.stringify({ scripts, errors: [...errors] }));
await Promise.race([browser.close(), new Promise((resolve) => setTimeout(resolve, 3000))]);
process.exit(0);
