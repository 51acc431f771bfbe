// What the test says of its application; a process runs one test at a time.
let application;
const UNLESS_SAID = {
  ignored: [],
  ignoredRectangles: [],
  css: "",
  freezeAnimations: true,
  limitMs: 10_000,
  judgedBy: {},
  invariants: [],
  knownErrors: [],
  logins: [],
};

// One document and the users on it.
class Stage {
  clients = {};
  /** A client lost the network: what the browser says about that is not an error of the page. */
  lostNetwork = false;
  /** Users act at the same time. */
  concurrent = false;
  /** The pages of those who came later. */
  lateJoiners = [];
  #acted = [];

  /** `waits`: time has to pass for a client, which takes a clock that can be moved. */
  static async open(browser, described, names, { waits = false } = {}) {
    application = { ...UNLESS_SAID, ...described };
    const stage = new Stage();
    await application.reset?.();
    const url = application.url.replaceAll("{doc}", `exported-${Date.now()}`);
    Object.assign(stage, { browser, url, waits });
    for (const [number, name] of names.entries()) stage.clients[name] = new Client(stage, name, number);
    await Promise.all(stage.#all.map((client) => client.open(browser)));
    if (application.empty) await stage.#all[0].evaluate(application.empty);
    await stage.settled();
    return stage;
  }

  get #all() {
    return [...Object.values(this.clients), ...this.#late];
  }

  #late = [];

  /** One more client opens the document. */
  async join(name) {
    const client = new Client(this, name, this.#all.length);
    await client.open(this.browser);
    this.#late.push(client);
    this.lateJoiners.push(client.page);
    await this.settled();
    client.gate.hold();
    return client;
  }

  /** Every caret goes where the first client's is. */
  async shareCaret() {
    const { caret, focus } = application;
    const [first, ...others] = this.#all;
    const at = caret.read ? await first.page.evaluate(caret.read) : await first.ask("caret", "read", caret, focus);
    if (at === null || at === undefined) return;
    for (const client of others) {
      if (caret.write) await client.page.evaluate(`(${caret.write})(${JSON.stringify(at)})`);
      else await client.ask("caret", "write", caret, focus, at);
    }
    await this.settled();
  }

  /** From now on messages wait until the test sends or receives them. */
  async hold() {
    this.concurrent = true;
    for (const { gate } of this.#all) gate.hold();
  }

  /** All messages are delivered, those of the client that acted first go first, until nothing moves. */
  async flow() {
    // They are under way together: an application that takes its time has all of them at once.
    for (const { gate } of this.#acted.splice(0)) gate.release(">");
    for (const { gate } of this.#all) gate.open();
    await this.settled();
  }

  acts(client) {
    if (client.gate.held && !this.#acted.includes(client)) this.#acted.push(client);
  }

  /** Returns when all pages have drawn, every request is answered, and no message has come or gone for a while. */
  async settled() {
    const { fixedMs, quietMs, limitMs } = application;
    if (fixedMs !== undefined) return pause(fixedMs);
    const movements = () => this.#all.reduce((sum, { gate }) => sum + gate.moved, 0);
    const end = Date.now() + limitMs;
    let before;
    do {
      before = movements();
      await Promise.all(this.#all.map((client) => client.drained()));
      await pause(quietMs);
    } while ((movements() !== before || this.#all.some(({ gate }) => gate.awaitsAnswer)) && Date.now() < end);
  }

  /** What everybody shows, once nothing moves any more. */
  async look() {
    await this.settled();
    return Promise.all(Object.values(this.clients).map((client) => client.look()));
  }

  /** The documents of the first client and of all who came later, or else the text that they show. */
  lookAtDocuments() {
    const { state } = application;
    const pages = [this.#all[0].page, ...this.lateJoiners];
    return Promise.all(pages.map((page) => page.evaluate(state ? `{ ${state}\n}` : "document.body.innerText")));
  }

  /** Errors of the pages that users who act one after the other do not see. */
  newErrors() {
    // Numbers in messages differ from run to run.
    const shape = (text) => text.replace(/\d/g, "");
    const known = application.knownErrors.map(shape);
    const isNew = (error) => !known.includes(shape(error));
    return this.#all.flatMap(({ name, errors }) => errors.filter(isNew).map((error) => `${name}: ${error}`));
  }

  /** How many pixels differ between what two clients show. Fewer than ten are a speck, and count for nothing. */
  differingPixels({ picture: one }, { picture: other }) {
    const { ignoredRectangles } = application;
    return this.#all[0].page.evaluate(
      async ({ pictures, ignoredRectangles }) => {
        const pixels = async (picture) => {
          const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          canvas.drawImage(bitmap, 0, 0);
          for (const { x, y, width, height } of ignoredRectangles) canvas.clearRect(x, y, width, height);
          return new Uint32Array(canvas.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
        };
        const [one, other] = await Promise.all(pictures.map(pixels));
        const differing = one.reduce((count, pixel, index) => count + (pixel === other[index] ? 0 : 1), 0);
        return differing < 10 ? 0 : differing;
      },
      { pictures: [one, other], ignoredRectangles },
    );
  }

  async close() {
    await Promise.all(this.#all.map(({ page }) => page?.context().close()));
  }
}
