// Runs a recording of Chrome's Recorder with the library that its developers made for that.
import { readFileSync } from "node:fs";
import { createRunner, parse, PuppeteerRunnerExtension } from "@puppeteer/replay";
import puppeteer from "puppeteer-core";

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage();
const flow = parse(JSON.parse(readFileSync(process.argv[2], "utf8")));
const runner = await createRunner(flow, new PuppeteerRunnerExtension(browser, page, { timeout: 20000 }));
await runner.run();
await page.waitForFunction(() => document.body.innerText.includes("Bought"), { timeout: 20000 });
await browser.close();
