// What a user would write in an afternoon, to compare with: two contexts of one browser, a fresh document, one key of A alone, one of
// each at the same time, wait until both texts are equal and nothing has changed for 100 ms, compare screenshots.
// node plain.mjs BROWSER URL TIMES FOCUS TEXT READY: {doc} in URL becomes the name of a document, FOCUS and TEXT are selectors, READY a script that
// is awaited. Prints milliseconds, one line an interaction.

import { createRequire } from 'node:module';

const require = createRequire(new URL('../../tests/packages/', import.meta.url));
const puppeteer = require('puppeteer-core');

const [executablePath, url, times, focus, shown, ready] = process.argv.slice(2);
const QUIET_MS = 100;

const browser = await puppeteer.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
const pages = [];
for (let client = 0; client < 2; client += 1) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 640, height: 400 });
  pages.push(page);
}

const text = (page) => page.$eval(shown, (editor) => editor.innerText);

async function equalAndQuiet() {
  let last;
  let since = performance.now();
  for (;;) {
    const [one, other] = await Promise.all(pages.map(text));
    const now = one === other ? one : undefined;
    if (now === undefined || now !== last) since = performance.now();
    last = now;
    if (now !== undefined && performance.now() - since >= QUIET_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

for (let number = 0; number < Number(times); number += 1) {
  const begun = performance.now();
  for (const page of pages) {
    await page.goto(url.replace('{doc}', `plain-${process.pid}-${number}`));
    await page.evaluate(ready);
    await page.focus(focus);
  }
  await pages[0].keyboard.type('a');
  await equalAndQuiet();
  await Promise.all([pages[0].keyboard.type('b'), pages[1].keyboard.press('Enter')]);
  await equalAndQuiet();
  const [one, other] = await Promise.all(pages.map((page) => page.screenshot()));
  const same = Buffer.from(one).equals(Buffer.from(other));
  console.log(`${(performance.now() - begun).toFixed(1)} ${same ? 'same' : 'different'} pictures`);
}
await browser.close();
