// Performs a script with trusted input while Playwright's recorder listens; runs what it recorded on the same page and on
// another build of it; prints what the listeners of the page heard each time.
import { execSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Read by Playwright: the window with the recorded code stays hidden.
process.env.PWTEST_CLI_HEADLESS = "1";

const [, , packages, recording] = process.argv;
const { chromium } = createRequire(`${packages}/package.json`)("playwright-core");
const executablePath = execSync("command -v chromium-headless-shell || command -v chromium").toString().trim();
const [, viewport, ...script] = recording.trimEnd().split("\n");
const [width, height] = viewport.split(" ")[1].split("x").map(Number);
const words = (line) => line.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g);
const nameIn = (path) => path.match(/data-name="([^"]+)"\]$/)[1];
const pair = (text) => text.split(",").map(Number);

const MODIFIERS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };
const BUTTONS = { left: 1, right: 2, middle: 4 };
const heldIn = (rest) => (rest.find((word) => /^(Alt|Control|Meta|Shift)(\+|$)/.test(word)) ?? "").split("+").reduce((bits, name) => bits | (MODIFIERS[name] ?? 0), 0);

// What a user has: windows, a mouse, a keyboard and a clipboard.
class User {
  pages = [];
  sessions = new Map();
  drag = null;

  constructor(context, answers) {
    this.context = context;
    context.on("page", (page) => {
      this.pages.push(page);
      page.on("dialog", (dialog) => {
        const [verdict, text] = answers.shift() ?? ["dismiss"];
        return verdict === "accept" ? dialog.accept(text && JSON.parse(text)) : dialog.dismiss();
      });
    });
  }

  async send(page, method, params) {
    if (!this.sessions.has(page)) {
      const session = await this.context.newCDPSession(page);
      this.sessions.set(page, session);
      session.on("Input.dragIntercepted", ({ data }) => (this.drag = data));
      await session.send("Input.setInterceptDrags", { enabled: true });
    }
    return this.sessions.get(page).send(method, params);
  }

  // The place of a widget in the window, whatever frame it is in, as soon as it is there.
  async spot(page, path, [x, y]) {
    for (const deadline = Date.now() + 10000; Date.now() < deadline; await page.waitForTimeout(20)) {
      const place = await this.look(page, path, [x, y]).catch(() => null);
      if (place) return place;
    }
    throw new Error(`there is no ${path}`);
  }

  async look(page, path, [x, y]) {
    for (const frame of page.frames()) {
      const box = await frame.evaluate((name) => globalThis.spot?.(name), nameIn(path));
      if (!box) continue;
      const owner = frame.parentFrame() && (await frame.frameElement());
      const corner = owner ? await owner.evaluate((element) => ((box) => [box.left + element.clientLeft, box.top + element.clientTop])(element.getBoundingClientRect())) : [0, 0];
      const place = [corner[0] + box.left + x, corner[1] + box.top + y];
      if (!box.hidden) return place;
      await this.mouse(page, "mouseMoved", place);
    }
    return null;
  }

  mouse(page, type, [x, y], { button = "none", held = 0, count = 0 } = {}) {
    const buttons = type === "mouseReleased" ? 0 : (BUTTONS[button] ?? 0);
    return this.send(page, "Input.dispatchMouseEvent", { type, x, y, button, buttons, clickCount: count, modifiers: held });
  }

  async button(page, kind, [path, at, ...rest]) {
    const button = rest.find((word) => word in BUTTONS) ?? "left";
    const options = { button, held: heldIn(rest), count: Number(rest.find((word) => /^x\d$/.test(word))?.slice(1) ?? 1) };
    const place = kind === "release" && at === this.pressed.at && path === this.pressed.path ? this.pressed.place : await this.spot(page, path, pair(at));
    if (kind === "drop") return this.drop(page, place, options);
    if (kind === "press") {
      await this.mouse(page, "mouseMoved", place, { held: options.held });
      this.pressed = { path, at, place, now: place, options };
    } else if (String(place) !== String(this.pressed.now)) {
      await this.mouse(page, "mouseMoved", place, { ...options, count: 0 });
    }
    await this.mouse(page, kind === "press" ? "mousePressed" : "mouseReleased", place, options);
    if (kind === "release" && button === "right") await this.confirm(page, "Right click");
  }

  // The recorder asks with a menu of its own what a right click shall be.
  async confirm(page, choice) {
    await this.send(page, "DOM.enable");
    const { nodes } = await this.send(page, "DOM.getFlattenedDocument", { depth: -1, pierce: true });
    const item = nodes.find(({ localName, attributes }) => localName === "x-pw-action-item" && attributes?.includes(choice));
    if (!item) return;
    const { model } = await this.send(page, "DOM.getBoxModel", { nodeId: item.nodeId });
    const place = [model.content[0] + 4, model.content[1] + 4];
    const left = { button: "left", count: 1 };
    await this.mouse(page, "mouseMoved", place);
    await this.mouse(page, "mousePressed", place, left);
    await this.mouse(page, "mouseReleased", place, left);
  }

  // Back or forward, also within a document.
  async goThrough(page, go) {
    const before = page.url();
    await go();
    for (const deadline = Date.now() + 10000; page.url() === before && Date.now() < deadline; ) await page.waitForTimeout(20);
  }

  async carry(page, kinds, [x, y]) {
    for (const type of kinds) await this.send(page, "Input.dispatchDragEvent", { type, x, y, data: this.drag, modifiers: 0 });
  }

  async move(page, by) {
    const place = pair(by).map((distance, axis) => this.pressed.place[axis] + distance);
    this.pressed.now = place;
    if (this.drag) return this.carry(page, ["dragEnter", "dragOver"], place);
    return this.mouse(page, "mouseMoved", place, { ...this.pressed.options, count: 0 });
  }

  async drop(page, place, options) {
    await this.carry(page, ["dragEnter", "dragOver", "drop"], place);
    this.drag = null;
    return this.mouse(page, "mouseReleased", place, options);
  }

  async abandon(page) {
    await this.carry(page, ["dragCancel"], this.pressed.place);
    this.drag = null;
    return this.mouse(page, "mouseReleased", this.pressed.place, this.pressed.options);
  }

  key(page, down, [, stroke, ...rest]) {
    const [key, code, number] = stroke.slice(1, -1).match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g).map((part) => (part[0] === '"' ? JSON.parse(part) : part));
    const held = heldIn(rest);
    const text = key === "Enter" ? "\r" : key.length === 1 && !(held & 7) ? key : undefined;
    const type = down ? (text ? "keyDown" : "rawKeyDown") : "keyUp";
    return this.send(page, "Input.dispatchKeyEvent", { type, key, code, windowsVirtualKeyCode: Number(number), modifiers: held, text: down ? text : undefined, autoRepeat: rest.includes("again") });
  }

  async choose(page, [path, at, value]) {
    await this.button(page, "press", [path, at]);
    await this.button(page, "release", [path, at]);
    const steps = await page.locator(`[data-name=${nameIn(path)}]`).evaluate((list, value) => [...list.options].findIndex((option) => option.value === value) - list.selectedIndex, JSON.parse(value));
    for (const key of [...Array(steps).fill("[ArrowDown,ArrowDown,40]"), "[Enter,Enter,13]"]) {
      await this.key(page, true, [path, key]);
      await this.key(page, false, [path, key]);
    }
  }

  async compose(page, rest) {
    const texts = rest.slice(1).filter((word) => word !== "commit").map((word) => JSON.parse(word));
    const commit = texts.pop();
    for (const text of texts) await this.send(page, "Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    return this.send(page, "Input.insertText", { text: commit });
  }

  clipboard(page, [text, , html]) {
    return page.evaluate(([text, html]) => {
      const fill = (event) => {
        event.stopImmediatePropagation();
        event.preventDefault();
        event.clipboardData.setData("text/plain", text);
        if (html) event.clipboardData.setData("text/html", html);
      };
      addEventListener("copy", fill, { capture: true, once: true });
      document.execCommand("copy");
    }, [JSON.parse(text), html && JSON.parse(html)]);
  }

  async scroll(page, [path, to]) {
    const [x, y] = await this.spot(page, path, [20, 20]);
    const [deltaX, deltaY] = pair(to);
    return this.send(page, "Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX, deltaY });
  }

  async perform(line) {
    const [who, kind, ...rest] = words(line).slice(0, -1);
    const tab = Number(who.split(".")[1] ?? 1);
    if (kind === "popup" && !this.pages[tab - 1]) await this.context.waitForEvent("page");
    const page = this.pages[tab - 1];
    switch (kind) {
      case "open": return page.goto(JSON.parse(rest[0]));
      case "popup": case "arrive": return page.waitForLoadState();
      case "back": return this.goThrough(page, () => page.goBack());
      case "forward": return this.goThrough(page, () => page.goForward());
      case "reload": return page.reload();
      case "close": return page.close();
      case "press": case "release": case "drop": return this.button(page, kind, rest);
      case "move": return this.move(page, rest[0]);
      case "abandon": return this.abandon(page);
      case "down": case "up": return this.key(page, kind === "down", rest);
      case "compose": return this.compose(page, rest);
      case "insert": return this.send(page, "Input.insertText", { text: JSON.parse(rest[1]) });
      case "clipboard": return this.clipboard(page, rest);
      case "choose": return this.choose(page, rest);
      case "files": return page.locator(`[data-name=${nameIn(rest[0])}]`).setInputFiles(rest.slice(1).map((name) => JSON.parse(name)));
      case "scroll": return this.scroll(page, rest);
      case "dialog": return;
      default: throw new Error(`nobody knows how to ${kind}`);
    }
  }
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

// As `playwright codegen` does it.
const record = async () => {
  const context = await browser.newContext({ viewport: { width, height } });
  const answers = script.map(words).filter(([, kind]) => kind === "dialog").map(([, , , verdict, text]) => [verdict, text?.startsWith('"') ? text : undefined]);
  const user = new User(context, answers);
  const folder = mkdtempSync(join(tmpdir(), "fidelity-"));
  const outputFile = join(folder, "recorded.mjs");
  await context._showRecorder({ language: "playwright-test", mode: "recording", launchOptions: {}, contextOptions: {}, outputFile });
  const page = await context.newPage();
  for (const line of script) {
    await user.perform(line).catch((error) => process.stderr.write(`fidelity: Playwright: ${line}: ${error.message}\n`));
    // It is made for people, who are not faster.
    if (!/ (press|move) /.test(line)) await page.waitForTimeout(/ (open|popup|arrive|back|forward|reload) /.test(line) ? 500 : 100);
  }
  await context.close();
  const code = readFileSync(outputFile, "utf8");
  rmSync(folder, { recursive: true });
  const body = code.slice(code.indexOf("{ page") < 0 ? 0 : code.indexOf("=> {") + 4, code.lastIndexOf("});"));
  return body.split(/\n(?= {2}[^\s}])/).map((step) => step.trim()).filter(Boolean);
};

// Runs steps one by one; says which were possible and what was heard.
const run = async (steps) => {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(3000);
  const page = await context.newPage();
  const AsyncFunction = (async () => {}).constructor;
  let done = 0;
  for (const step of steps) {
    // Later steps use what earlier ones call by a name.
    const perform = new AsyncFunction("page", "console", step.replaceAll(/\bconst (?=page|download)/g, ""));
    await perform(page, { log: () => {} }).then(() => done++, (error) => process.stderr.write(`fidelity: Playwright: ${step}: ${error.message.split("\n")[0]}\n`));
  }
  const heard = await page.evaluate("outcome()").catch(() => ({ log: [] }));
  await context.close();
  return { heard, done };
};

const steps = await record();
const same = await run(steps);
const rebuilt = await run(steps.map((step) => step.replace("/widgets'", "/widgets?shuffled'")));
await browser.close();
process.stdout.write(JSON.stringify({ cameBack: same.heard, rebuilt: rebuilt.heard, steps: steps.length, replayed: same.done, survived: rebuilt.done }));
