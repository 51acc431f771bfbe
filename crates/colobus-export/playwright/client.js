// One user: a browser context with one page. Steps and messages return when what follows from them has come to rest.
class Client {
  gate = new Gate();
  errors = [];
  /** The server said no (4xx) to this client while users acted at the same time. */
  refused = false;

  constructor(stage, name, number) {
    Object.assign(this, { stage, name, number });
  }

  async open(browser) {
    const { viewport } = application;
    const context = await browser.newContext({
      viewport,
      storageState: await loginOf(browser, this.number),
      bypassCSP: true,
      ignoreHTTPSErrors: true,
      serviceWorkers: "block",
    });
    await this.gate.guard(context);
    await context.addInitScript(inPage, { css: style(), seed: application.seed, client: this.number });
    this.page = await this.#openPage(context);
  }

  async #openPage(context) {
    const page = await context.newPage();
    page.on("pageerror", ({ name, message }) => this.#complains(`${name}: ${message}`));
    page.on("console", (line) => line.type() === "error" && this.#complains(line.text()));
    page.on("response", (response) => (this.refused ||= this.stage.concurrent && isRefusal(response.status())));
    if (this.stage.waits) await page.clock.install();
    await this.#arrive(page, () => page.goto(this.stage.url));
    return page;
  }

  // What a user does ------------------------------------------------------------------------------------------------
  press(chord) {
    return this.#act(() => this.page.keyboard.press(chord));
  }

  type(text) {
    return this.#act(() => this.page.keyboard.type(text));
  }

  click(target) {
    return this.#act(async () => {
      const { x, y } = await this.#place(target);
      await this.page.mouse.click(x, y);
      await this.#blank();
    });
  }

  doubleClick(target) {
    return this.#act(async () => {
      const { x, y } = await this.#place(target);
      await this.page.mouse.dblclick(x, y);
      await this.#blank();
    });
  }

  drag(from, to) {
    return this.#act(async () => {
      const [start, end] = [await this.#place(from), await this.#place(to)];
      await this.page.mouse.move(start.x, start.y);
      await this.page.mouse.down();
      await this.page.mouse.move(end.x, end.y, { steps: 5 });
      await this.page.mouse.up();
      await this.#blank();
    });
  }

  paste(text) {
    return this.#act(async () => {
      const untouched = await this.ask("input", "paste", text);
      if (untouched) await this.page.keyboard.insertText(text);
    });
  }

  evaluate(source) {
    return this.#act(() => this.page.evaluate(`{ ${source}\n}`));
  }

  waitFor(selector) {
    const first = this.page.locator(selector).filter({ visible: true }).first();
    return this.#act(() => first.waitFor({ timeout: application.limitMs }));
  }

  resize(size) {
    return this.#act(() => this.page.setViewportSize(size));
  }

  // What happens to its messages --------------------------------------------------------------------------------------
  /** The oldest message that waits on this connection goes on to the application. */
  send(connection = 1) {
    return this.#deliver(">", connection);
  }

  /** The oldest message that waits for this client on this connection reaches it. */
  receive(connection = 1) {
    return this.#deliver("<", connection);
  }

  async loseNetwork() {
    this.stage.lostNetwork = true;
    this.gate.cut();
    await this.stage.settled();
  }

  /** Returns when the page has begun to connect again, or seems to have no intention to. */
  async regainNetwork() {
    const { moved } = this.gate;
    this.gate.offline = false;
    await until(() => this.gate.moved > moved, application.limitMs);
    await this.stage.settled();
  }

  /** The client's own messages flow until the page is there again. */
  async reload() {
    this.gate.open();
    await this.#arrive(this.page, () => this.page.reload());
    await this.stage.settled();
    this.gate.hold();
  }

  /** Half a minute passes for this client, and no message moves. */
  async wait() {
    await this.page.clock.runFor(30_000);
    await this.stage.settled();
  }

  /** The document a second time, in the same browser. What the new tab has to say flows while it loads. */
  async openTab() {
    this.gate.admit(true);
    const page = await this.#openPage(this.page.context());
    await this.stage.settled();
    this.gate.admit(false);
    this.stage.lateJoiners.push(page);
  }

  // What it shows -----------------------------------------------------------------------------------------------------
  async look() {
    const { state, ignored, judgedBy } = application;
    return {
      state: judgedBy.state ? await this.page.evaluate(`{ ${state}\n}`) : undefined,
      dom: judgedBy.dom ? (await this.ask("canonicalDom", undefined, ignored)).split("\n") : undefined,
      picture: judgedBy.pixels ? (await this.page.screenshot()).toString("base64") : undefined,
    };
  }

  ask(part, method, ...values) {
    return ask(this.page, part, method, ...values);
  }

  /** The page has drawn, and done what it had put off until then. */
  drained() {
    return this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  }

  async #act(step) {
    this.stage.acts(this);
    await step();
    await this.stage.settled();
  }

  async #deliver(direction, connection) {
    const found = await this.gate.deliver(direction, connection);
    if (!found) console.warn(`${this.name}${direction}#${connection}: no message came, this event is skipped`);
    await this.stage.settled();
  }

  async #arrive(page, load) {
    await load();
    await application.afterLoad?.(page, String.fromCharCode(65 + this.number));
    const isReady = (source) => {
      const value = (0, eval)(source);
      return value instanceof Promise ? value.then((value) => value !== false) : Boolean(value);
    };
    const ready = () => page.evaluate(isReady, `{ ${application.ready}\n}`).catch(() => false);
    if (application.ready && !(await until(ready, 30_000))) {
      throw new Error(`the page did not get ready: ${application.ready}`);
    }
    if (!application.focus) return;
    // Without `ready`, a page is ready once the element of `focus` exists.
    let problem;
    const focused = async () => {
      ({ problem } = await ask(page, "input", "focus", application.focus));
      return !problem;
    };
    if (!(await until(focused, application.ready ? 0 : application.limitMs))) throw new Error(problem);
  }

  async #place(target) {
    const selector = typeof target === "string" ? target : target.on;
    if (!selector) return target;
    const place = await this.ask("input", "locate", selector, target.on ? target : null);
    if (place.problem) throw new Error(place.problem);
    return place;
  }

  /** A mouse that rests on something would make a difference between clients. */
  #blank() {
    return this.page.mouse.move(-10, -10);
  }

  #complains(error) {
    const lostConnection = this.stage.lostNetwork && error.includes("net::ERR_");
    // The browser itself says so: a server that refuses something works.
    const [, status] = /^Failed to load resource: .* status of (\d+)/.exec(error) ?? [];
    const expected = lostConnection || TOLD_THE_LATER.includes(Number(status));
    if (this.stage.concurrent && !expected) this.errors.push(error.split("\n")[0]);
  }
}

/** Another user was faster: what is wanted is gone, taken, changed or locked, or wanted too often. */
const TOLD_THE_LATER = [404, 409, 410, 412, 423, 428, 429];
const isRefusal = (status) => status >= 400 && status < 500;

/** CSS for every page. */
function style() {
  const { freezeAnimations, css } = application;
  return (freezeAnimations ? STILL : "") + css;
}

/** What logins left in the browser: each is performed once. */
const loggedIn = new Map();

function loginOf(browser, number) {
  const login = application.logins[number] ?? application.logins[0];
  if (!login?.steps) return login?.storageState;
  if (!loggedIn.has(login)) loggedIn.set(login, logIn(browser, login));
  return loggedIn.get(login);
}

async function logIn(browser, { url, steps }) {
  const context = await browser.newContext({ viewport: application.viewport, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(url.replaceAll("{doc}", `login-${Date.now()}`));
  await steps(page);
  const left = await context.storageState();
  await context.close();
  return left;
}

/** Calls what `inPage` has put into the page. */
function ask(page, part, method, ...values) {
  return page.evaluate(
    ([part, method, values]) => {
      const offered = globalThis[Symbol.for("colobus")][part];
      return method ? offered[method](...values) : offered(...values);
    },
    [part, method, values],
  );
}
