// What pages rely on. `selfTest()` runs every check and shows the names of those that fail, then "done".
const room = new URLSearchParams(location.search).get("doc") ?? "bare";
const origin = location.origin.replace("http", "ws");
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const once = (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
const say = (where, text) => fetch(`/say?${where}`, { method: "POST", body: text });
const same = (a, b) => {
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`${JSON.stringify(a)} is not ${JSON.stringify(b)}`);
};
const holds = (fact, what = "it does not hold") => {
  if (!fact) throw new Error(what);
};

const timers = {
  async "timers with equal delays keep their order"() {
    const order = [];
    for (const name of [1, 2, 3]) setTimeout(() => order.push(name), 10);
    await after(10);
    same(order, [1, 2, 3]);
  },
  async "shorter delays come first"() {
    const order = [];
    setTimeout(() => order.push("long"), 30);
    setTimeout(() => order.push("short"), 5);
    await after(40);
    same(order, ["short", "long"]);
  },
  async "timers may set timers"() {
    let depth = 0;
    await new Promise((resolve) => {
      const deeper = () => (++depth === 12 ? resolve() : setTimeout(deeper, 0));
      setTimeout(deeper, 0);
    });
    same(depth, 12);
  },
  async "timers that go on and on do not starve others"() {
    let running = true;
    const spin = () => running && setTimeout(spin, 0);
    spin();
    await after(20);
    running = false;
  },
  async "a timer may clear another, also one that is due"() {
    const order = [];
    setTimeout(() => {
      order.push("first");
      clearTimeout(second);
    }, 5);
    const second = setTimeout(() => order.push("second"), 5);
    await after(15);
    same(order, ["first"]);
  },
  async "intervals go on until they clear themselves"() {
    let ticks = 0;
    await new Promise((resolve) => {
      const interval = setInterval(() => {
        if (++ticks === 3) {
          clearInterval(interval);
          setTimeout(resolve, 20);
        }
      }, 3);
    });
    same(ticks, 3);
  },
  async "microtasks come between timers"() {
    const order = [];
    setTimeout(() => {
      order.push("timer");
      Promise.resolve().then(() => order.push("promise"));
      queueMicrotask(() => order.push("microtask"));
    }, 5);
    setTimeout(() => order.push("next timer"), 5);
    await after(10);
    same(order, ["timer", "promise", "microtask", "next timer"]);
  },
  async "callbacks get their arguments and the window"() {
    same(await new Promise((resolve) => setTimeout((a, b) => resolve([a, b]), 0, 1, 2)), [1, 2]);
    holds(await new Promise((resolve) => setTimeout(function () { resolve(this === window); })));
    setTimeout("window.evaluated = true", 0);
    await after(5);
    holds(window.evaluated, "code as text did not run");
  },
  async "an error in a timer stops no other"() {
    window.addEventListener("error", (event) => event.preventDefault(), { once: true });
    setTimeout(() => { throw new Error("expected"); }, 1);
    await after(5);
  },
  async "time passes at least as long as a timer waits"() {
    const [date, now] = [Date.now(), performance.now()];
    await after(20);
    holds(Date.now() - date >= 19 && performance.now() - now >= 19);
  },
  async "frames and idle time come, and can be cancelled"() {
    const first = await new Promise((resolve) => requestAnimationFrame(resolve));
    cancelAnimationFrame(requestAnimationFrame(() => { throw new Error("cancelled"); }));
    const second = await new Promise((resolve) => requestAnimationFrame(resolve));
    holds(second >= first);
    cancelIdleCallback(requestIdleCallback(() => { throw new Error("cancelled"); }));
    const deadline = await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
    holds(deadline.timeRemaining() >= 0 && typeof deadline.didTimeout === "boolean");
  },
};

const dates = {
  "waiting in a loop ends"() {
    for (const clock of [() => Date.now(), () => performance.now(), () => +new Date()]) {
      const begin = clock();
      while (clock() - begin < 3);
    }
  },
  "dates with arguments are what they say"() {
    same(new Date("2020-01-01T00:00:00Z").getTime(), 1577836800000);
    same(Date.UTC(2020, 0, 1), 1577836800000);
    same(Date.parse("2020-01-01"), 1577836800000);
    same(new Date(2020, 1, 29).getDate(), 29);
    same(new Date(new Date(5)).getTime(), 5);
    holds(Number.isNaN(new Date(undefined).getTime()) && Number.isNaN(new Date("never").getTime()));
    same(new Date(null).getTime(), 0);
  },
  "dates are dates"() {
    holds(typeof Date() === "string" && !Number.isNaN(Date.parse(Date(0))));
    holds(new Date() instanceof Date && new Date().constructor === Date && Date.length === 7 && Date.name === "Date");
    same(Object.prototype.toString.call(new Date()), "[object Date]");
    class Day extends Date { iso() { return this.toISOString().slice(0, 10); } }
    same(new Day(0).iso(), "1970-01-01");
    holds(new Day() instanceof Day && new Day().iso().length === 10);
    holds(structuredClone(new Date(7)).getTime() === 7 && JSON.stringify(new Date(0)) === '"1970-01-01T00:00:00.000Z"');
    same(String(Date), "function Date() { [native code] }");
  },
  "the present is the same everywhere, and goes on"() {
    const [date, now] = [Date.now(), performance.now()];
    holds(Math.abs(performance.timeOrigin + now - date) < 5000);
    holds(Math.abs(new Date().getTime() - Date.now()) < 5000);
    holds(Date.now() >= date && performance.now() >= now);
    const event = new Event("x");
    holds(event.timeStamp === event.timeStamp && new Event("y").timeStamp >= event.timeStamp);
    holds(Math.abs(event.timeStamp - performance.now()) < 5000);
  },
  "formats know the present"() {
    const format = new Intl.DateTimeFormat("en", { year: "numeric", timeZone: "UTC" });
    same(format.format(), String(new Date().getUTCFullYear()));
    same(format.formatToParts().map(({ value }) => value), [format.format()]);
    same(format.format(new Date(0)), "1970");
    holds(format.format === format.format);
    same(new Date(0).toLocaleDateString("en", { timeZone: "UTC" }), "1/1/1970");
    if (globalThis.Temporal) same(String(Temporal.Now.instant()).slice(0, 10), new Date().toISOString().slice(0, 10));
  },
};

const chances = {
  "random numbers are numbers"() {
    const drawn = Array.from({ length: 1000 }, Math.random);
    holds(drawn.every((number) => number >= 0 && number < 1) && new Set(drawn).size > 990);
    const mean = drawn.reduce((sum, number) => sum + number) / drawn.length;
    holds(mean > 0.4 && mean < 0.6, `the mean is ${mean}`);
  },
  "random bytes are bytes"() {
    for (const kind of [Uint8Array, Uint32Array, Int16Array, BigInt64Array]) {
      const values = new kind(8);
      holds(crypto.getRandomValues(values) === values && new Set(values).size > 4);
    }
    const part = new Uint8Array(8).subarray(2, 4);
    crypto.getRandomValues(part);
    same([...new Uint8Array(part.buffer)].filter((_, index) => index < 2 || index > 3), [0, 0, 0, 0, 0, 0]);
    for (const wrong of [new Float32Array(1), new Uint8Array(65537), [], undefined]) {
      try {
        crypto.getRandomValues(wrong);
      } catch {
        continue;
      }
      throw new Error("it should have been refused");
    }
    holds(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()));
  },
};

const traffic = {
  async "sockets carry text and bytes of every size"() {
    const socket = new WebSocket(`${origin}/socket?${room}-bytes`);
    socket.binaryType = "arraybuffer";
    await once(socket, "open");
    for (const size of [0, 1, 200, 40000]) {
      const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251);
      socket.send(size % 2 ? bytes : new Blob([bytes]));
      const { data } = await once(socket, "message");
      holds(new Uint8Array(data).every((byte, index) => byte === index % 251) && data.byteLength === size, `${size}`);
    }
    socket.send("grüße");
    same((await once(socket, "message")).data, "grüße");
    socket.close();
    await once(socket, "close");
  },
  async "two sockets do not mix"() {
    const sockets = ["left", "right"].map((side) => new WebSocket(`${origin}/socket?${room}-${side}`));
    await Promise.all(sockets.map((socket) => once(socket, "open")));
    const heard = sockets.map((socket) => once(socket, "message"));
    sockets.forEach((socket, index) => socket.send(`message ${index}`));
    same((await Promise.all(heard)).map(({ data }) => data), ["message 0", "message 1"]);
    sockets.forEach((socket) => socket.close());
  },
  async "server-sent events come one by one"() {
    const events = new EventSource(`/events?${room}-events`);
    await once(events, "open");
    for (const text of ["one", "two", "three"]) {
      const [{ data }] = await Promise.all([once(events, "message"), say(`${room}-events`, text)]);
      same(data, text);
    }
    events.close();
  },
  async "long polls are answered when there is something to say"() {
    for (const [number, text] of ["one", "two"].entries()) {
      const poll = fetch(`/wait?${room}-poll:${number}`).then((answer) => answer.text());
      await say(`${room}-poll`, text);
      same(await poll, text);
    }
  },
  async "requests of every kind are answered, or aborted"() {
    const request = new XMLHttpRequest();
    request.open("POST", "/echo");
    request.send("xhr");
    await once(request, "loadend");
    same(request.responseText, "xhr");
    const bytes = await (await fetch(new Request("/echo", { method: "POST", body: "fetch" }))).arrayBuffer();
    same(new TextDecoder().decode(bytes), "fetch");
    const abort = new AbortController();
    const aborted = fetch(`/wait?${room}-never:0`, { signal: abort.signal }).catch((error) => error.name);
    setTimeout(() => abort.abort(), 20);
    same(await aborted, "AbortError");
  },
};

const workers = {
  async "workers of every kind have sockets and timers"() {
    for (const [kind, options, nested, answer] of [
      ["classic", {}, false, "hello from DedicatedWorkerGlobalScope"],
      ["module", { type: "module" }, false, "hello from DedicatedWorkerGlobalScope"],
      ["nested", {}, true, "hello from DedicatedWorkerGlobalScope below"],
    ]) {
      const worker = new Worker("/worker.js", options);
      worker.postMessage({ room: `${room}-${kind}`, text: "hello", nested });
      same((await once(worker, "message")).data, answer);
      worker.terminate();
    }
  },
  async "shared workers do as well"() {
    const { port } = new SharedWorker(`/worker.js?${room}`);
    port.start();
    port.postMessage({ room: `${room}-shared`, text: "hello" });
    same((await once(port, "message")).data, "hello from SharedWorkerGlobalScope");
  },
};

const selfTest = async () => {
  const shown = document.getElementById("shown");
  const checks = Object.entries({ ...timers, ...dates, ...chances, ...traffic, ...workers });
  for (const [name, check] of checks) {
    try {
      await check();
    } catch (error) {
      shown.textContent += `${name}: ${error.message}\n`;
    }
  }
  shown.textContent += `${checks.length} checks done`;
};
