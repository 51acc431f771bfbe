// One page whose answers wait until the test lets them through, one by one. Each method is one event: it returns when the
// page has done what follows from it. An event that cannot happen (nothing was asked, nothing can be clicked) is skipped.
const SENTINEL = "/colobus-load";
/** How long a request or an element may take to appear. */
const PATIENCE_MS = 2_000;
/** The page's clock stands at this moment when the page begins. */
const START_MS = 1_000_000;

/** The addresses of the workers that said something when the page was recorded. */
const workersIn = (messages) =>
  messages.filter(({ channel }) => channel === "worker").map(({ of }) => of.replace(/ #\d+$/, ""));

class RacedPage {
  errors = [];
  requests = [];
  #held = [];
  #event = "";
  #now = 0;
  #opened = false;

  static async open(browser, { url, viewport, seed, endMs, messages }) {
    const raced = new RacedPage();
    Object.assign(raced, { url, endMs, workers: workersIn(messages ?? []) });
    const options = { viewport, bypassCSP: true, ignoreHTTPSErrors: true, serviceWorkers: "block" };
    const context = await browser.newContext(options);
    await context.addInitScript(inPage, { seed, messages, sentinel: new URL(SENTINEL, url).href });
    const page = await context.newPage();
    raced.page = page;
    // Timers run when the test says so.
    if (endMs !== undefined) {
      await page.clock.install({ time: START_MS - 60_000 });
      await page.clock.pauseAt(START_MS);
    }
    page.on("pageerror", ({ name, message }) => raced.errors.push(`${name}: ${message}`.split("\n")[0]));
    await page.route("**/*", (route) => raced.#hold(route));
    await page.goto(url, { waitUntil: "commit" });
    await raced.#settled();
    return raced;
  }

  // Events ------------------------------------------------------------------------------------------------------------
  /** The answer to a request reaches the page. Of equal requests it is the one that `creator` sent. */
  async answer(event, request, creator) {
    const isAsked = ({ name }) => name === request;
    const found = () =>
      this.#held.find((held) => isAsked(held) && held.creator === creator) ?? this.#held.find(isAsked);
    await until(found, PATIENCE_MS);
    const held = found();
    if (!held) return this.#skips(event, "it was not asked for");
    await this.#begin(event);
    await this.#release(held);
    await this.#settled();
  }

  /** What a socket or a stream brought when the page was recorded, or what a worker or another part of the page says. */
  async message(event) {
    await until(async () => (await this.#ask("held", "waiting")).includes(event), PATIENCE_MS);
    await this.#begin(event);
    if (!(await this.#ask("held", "deliver", event))) return this.#skips(event, "it has not come so far");
    await this.#settled();
  }

  /** The page's `load`. */
  async load(event) {
    const held = this.#held.find(({ isSentinel }) => isSentinel);
    if (!held) return this.#skips(event, "the page does not wait with it");
    await this.#begin(event);
    await this.#release(held);
    const isComplete = () => this.page.evaluate(() => document.readyState === "complete");
    await until(isComplete, PATIENCE_MS);
    await this.#settled();
  }

  /** The page's clock stands at this many milliseconds, and timers that are due have run. */
  async time(event, ms) {
    await this.#begin(event);
    await this.#passes(ms - this.#now);
  }

  /** The next animation frame. */
  async frame(event) {
    await this.#begin(event);
    await this.#passes(16 - (this.#now % 16));
  }

  /** The page has nothing to do for a moment. */
  async idle(event) {
    await this.#begin(event);
    await this.#passes(50);
  }

  click(event, target) {
    return this.#actAt(event, [target], ({ x, y }) => this.page.mouse.click(x, y));
  }

  doubleClick(event, target) {
    return this.#actAt(event, [target], ({ x, y }) => this.page.mouse.dblclick(x, y));
  }

  drag(event, from, to) {
    return this.#actAt(event, [from, to], async (start, end) => {
      await this.page.mouse.move(start.x, start.y);
      await this.page.mouse.down();
      await this.page.mouse.move(end.x, end.y, { steps: 5 });
      await this.page.mouse.up();
    });
  }

  press(event, chord) {
    return this.#act(event, () => this.page.keyboard.press(chord));
  }

  type(event, text) {
    return this.#act(event, () => this.page.keyboard.type(text));
  }

  paste(event, text) {
    return this.#act(event, async () => {
      if (await this.#ask("input", "paste", text)) await this.page.keyboard.insertText(text);
    });
  }

  evaluate(event, source) {
    return this.#act(event, () => this.page.evaluate(`{ ${source}\n}`));
  }

  resize(event, size) {
    return this.#act(event, () => this.page.setViewportSize(size));
  }

  // The end -----------------------------------------------------------------------------------------------------------
  /** What is left comes by itself. What the page shows then, what it threw and which data it asked for. */
  async end() {
    await this.#begin("end");
    await this.#releaseAll();
    if (this.endMs !== undefined) await this.#passes(this.endMs - this.#now);
    await this.#releaseAll();
    const document = (await this.#ask("canonicalDom", undefined, [])).split("\n");
    const seen = { document, errors: [...new Set(this.errors)].sort(), requests: this.requests.sort() };
    await this.page.context().close();
    return seen;
  }

  async #releaseAll() {
    for (let messages = []; this.#held.length + messages.length > 0; messages = await this.#ask("held", "waiting")) {
      if (this.#held.length > 0) await this.#release(this.#held[0]);
      else await this.#ask("held", "deliver", messages[0]);
      await this.#settled();
    }
  }

  // Requests ----------------------------------------------------------------------------------------------------------
  async #hold(route) {
    const request = route.request();
    const isDocument = request.isNavigationRequest() && request.frame() === this.page.mainFrame();
    if (isDocument && !this.#opened) {
      this.#opened = true;
      return route.continue();
    }
    const { origin } = new URL(this.url);
    const url = request.url();
    const address = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
    const name = `${request.method()} ${address}`;
    const isData = ["xhr", "fetch", "ping", "beacon"].includes(request.resourceType());
    if (isData || isDocument) this.requests.push(`${name} ${request.postData() ?? ""}`.trim());
    // Where the page wants to go the test does not follow.
    if (isDocument) return route.abort();
    if (request.resourceType() === "eventsource") return route.continue();
    // What a worker says is an event, its own script is none.
    if (this.workers.includes(address.split("?")[0])) return route.continue();
    const isSentinel = address === SENTINEL;
    // The server has the request at once: only its answer waits.
    const answer = isSentinel ? { status: 204 } : route.fetch().then((response) => ({ response }));
    this.#held.push({ name, creator: this.#event, isSentinel, request, route, answer: settle(answer) });
  }

  async #release(held) {
    this.#held.splice(this.#held.indexOf(held), 1);
    const { value, error } = await held.answer;
    // A page may have given the request up.
    await (error ? held.route.abort() : held.route.fulfill(value)).catch(() => {});
    const finished = held.request.response().then((response) => response?.finished());
    await Promise.race([finished.catch(() => {}), pause(PATIENCE_MS)]);
  }

  // Turns -------------------------------------------------------------------------------------------------------------
  async #begin(event) {
    this.#event = event;
    await this.#ask("held", "begin", event);
  }

  async #act(event, step) {
    await this.#begin(event);
    await step();
    await this.#settled();
  }

  async #actAt(event, targets, step) {
    const places = [];
    for (const target of targets) {
      let place;
      const found = async () => {
        place = await this.#place(target);
        return !place.problem;
      };
      if (!(await until(found, PATIENCE_MS))) return this.#skips(event, place.problem);
      places.push(place);
    }
    await this.#act(event, () => step(...places));
  }

  async #place(target) {
    const selector = typeof target === "string" ? target : target.on;
    return selector ? this.#ask("input", "locate", selector, target.on ? target : null) : target;
  }

  async #passes(ms) {
    if (ms > 0) {
      this.#now += ms;
      await this.page.clock.runFor(ms);
    }
    await this.#settled();
  }

  #settled() {
    return this.#ask("held", "drained");
  }

  #skips(event, why) {
    console.warn(`${event}: ${why}, this event is skipped`);
  }

  #ask(part, method, ...values) {
    return this.page.evaluate(
      ([part, method, values]) => {
        const offered = globalThis[Symbol.for("colobus")][part];
        return method ? offered[method](...values) : offered(...values);
      },
      [part, method, values],
    );
  }
}

/** A promise that never rejects: before its turn no code waits for the answer. */
async function settle(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}
