// held: the events that page code sets off by itself: timers, intervals, animation frames, idle callbacks, and what
// `channels` and `ports` hold. None runs until the driver says so (`fire`). `begin` names the event that runs from now on: what is registered meanwhile was registered by
// it. Nothing here calls a function that the files of accesses/ wrap, so that Colobus leaves no trace in the page's log.
((colobus) => {
  const { native, settings } = colobus;
  const isInside = globalThis.parent !== globalThis;
  // A frame of another origin cannot be reached: it keeps the browser's own timers.
  if (isInside && !colobus.above?.held) return;

  const part = (prototype, name, kind) => {
    const found = Object.getOwnPropertyDescriptor(prototype, name)[kind];
    return (self, ...args) => Reflect.apply(found, self, args);
  };
  const readyState = part(Document.prototype, "readyState", "get");
  const reportError = globalThis.reportError.bind(globalThis);
  const addEventListener = part(EventTarget.prototype, "addEventListener", "value");
  const { Error, Promise } = globalThis;

  // Frames of the same origin share all of this with the page around them.
  const state = isInside
    ? colobus.above.held.state
    : { event: settings.event, draws: 0, timers: [], lastId: 0, news: [], cancelled: [], reading: 0, watchesFrames: false, isDrawn: false };
  const now = () => colobus.clock.time.now / 1000;
  const add = (list, item) => {
    list[list.length] = item;
  };

  // Tasks -------------------------------------------------------------------------------------------------------------
  const { port1, port2 } = new MessageChannel();
  const tasks = [];
  let first = 0;
  port1.onmessage = () => {
    const task = tasks[first];
    tasks[first++] = undefined;
    task();
  };
  const post = (task) => {
    add(tasks, task);
    native.post.call(port2, null);
  };
  const turn = () => new Promise((resolve) => post(resolve));
  const pause = () => new Promise((resolve) => native.setTimeout(resolve, 0));

  // Registration ------------------------------------------------------------------------------------------------------
  // Where page code is: the innermost place of the stack that has an address.
  const place = /(https?:\/\/[^\s)]+):(\d+):(\d+)/;
  const caller = () => {
    const stack = String(new Error().stack);
    const found = place.exec(stack);
    return found ? { url: found[1], line: Number(found[2]), column: Number(found[3]) } : null;
  };

  const register = (kind, run, delay, every) => {
    const id = ++state.lastId;
    const timer = { id, kind, run, delay, every, tick: 1, due: now() + delay, by: state.event, site: caller() };
    state.timers[id] = timer;
    add(state.news, id);
    return id;
  };
  const cancel = (id) => {
    const number = Number(id);
    if (!(number > 0 && number <= state.lastId)) return;
    add(state.cancelled, { id: number, by: state.event });
    state.timers[number] = undefined;
  };
  // Something from outside that waits for its turn; `cancel` takes it back.
  colobus.hold = ({ run, due, latency, by, details }) => {
    const id = ++state.lastId;
    state.timers[id] = { id, kind: "message", run, delay: latency, tick: 1, due, by, site: null, message: details };
    add(state.news, id);
    return () => state.timers[id] && cancel(id);
  };
  const called = (callback, args) => {
    if (typeof callback === "function") return () => Reflect.apply(callback, globalThis, args);
    const source = String(callback);
    return () => native.evaluate(colobus.accesses ? colobus.accesses.evaluated("script", source) : source);
  };
  const delayOf = (delay) => {
    const number = Number(delay) | 0;
    return number > 0 ? number : 0;
  };
  const replace = (owner, name, apply) =>
    colobus.wrapNative(owner, name, { apply: (target, self, args) => apply(args, target, self) });

  replace(globalThis, "setTimeout", ([callback, delay, ...args]) =>
    register("timer", called(callback, args), delayOf(delay)));
  replace(globalThis, "setInterval", ([callback, delay, ...args]) => {
    const every = delayOf(delay) || 1;
    return register("interval", called(callback, args), every, every);
  });
  replace(globalThis, "clearTimeout", ([id]) => cancel(id));
  replace(globalThis, "clearInterval", ([id]) => cancel(id));
  replace(globalThis, "cancelIdleCallback", ([id]) => cancel(id));
  replace(globalThis, "requestIdleCallback", ([callback]) => {
    const deadline = { didTimeout: false, timeRemaining: () => 50 };
    return register("idle", () => Reflect.apply(callback, globalThis, [deadline]), 1);
  });

  // One animation frame is one event: all callbacks that were registered before it.
  let frame;
  replace(globalThis, "requestAnimationFrame", ([callback]) => {
    if (!frame || !state.timers[frame.id]) {
      const callbacks = [];
      const runAll = () => {
        frame = undefined;
        const stamp = now();
        for (let at = 0; at < callbacks.length; at++) {
          try {
            callbacks[at]?.(stamp);
          } catch (error) {
            reportError(error);
          }
        }
      };
      frame = { id: register("frame", runAll, 16), callbacks };
    }
    add(frame.callbacks, callback);
    // Callbacks are counted behind the point, so that their names are numbers as in browsers.
    return frame.id + frame.callbacks.length / 1000;
  });
  replace(globalThis, "cancelAnimationFrame", ([id]) => {
    const number = Math.floor(Number(id));
    if (!frame || frame.id !== number) return;
    frame.callbacks[Math.round((Number(id) - number) * 1000) - 1] = undefined;
    for (let at = 0; at < frame.callbacks.length; at++) if (frame.callbacks[at]) return;
    cancel(number);
  });

  // Bodies of answers are read in several tasks.
  for (const reader of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
    colobus.wrapNative(Response.prototype, reader, {
      apply(target, self, args) {
        const promise = Reflect.apply(target, self, args);
        const done = () => state.reading--;
        state.reading++;
        promise.then(done, done);
        return promise;
      },
    });
  }

  if (isInside) {
    colobus.held = { state };
    return;
  }

  // `load` waits for this picture, which the driver answers when it is the turn of `load`.
  const sentinel = new Image();
  if (location.protocol.startsWith("http")) sentinel.src = settings.sentinel;
  let loaded = false;
  addEventListener(globalThis, "load", (event) => (loaded = loaded || event.target === document), true);

  // Scripts that have run. Browsers compile beside the page, so that a script may run long after its answer has come.
  const ran = { __proto__: null };
  const target = part(Event.prototype, "target", "get");
  const source = part(HTMLScriptElement.prototype, "src", "get");
  const runs = (event) => {
    const script = target(event);
    if (script instanceof HTMLScriptElement) ran[source(script)] = (ran[source(script)] ?? 0) + 1;
  };
  addEventListener(document, "load", runs, true);
  addEventListener(document, "error", runs, true);

  // Which event put each node into the document -----------------------------------------------------------------------
  const makers = new WeakMap();
  const note = part(WeakMap.prototype, "set", "value");
  const noted = part(WeakMap.prototype, "get", "value");
  const addedNodes = part(MutationRecord.prototype, "addedNodes", "get");
  const lengthOf = part(NodeList.prototype, "length", "get");
  const takeRecords = part(MutationObserver.prototype, "takeRecords", "value");
  const remember = (records) => {
    for (let at = 0; at < records.length; at++) {
      const nodes = addedNodes(records[at]);
      const length = lengthOf(nodes);
      for (let index = 0; index < length; index++) note(makers, nodes[index], state.event);
    }
  };
  const observer = new MutationObserver(remember);
  observer.observe(document, { childList: true, subtree: true });

  const listening = new WeakMap();
  colobus.wrapNative(EventTarget.prototype, "addEventListener", {
    apply(target, self, args) {
      if (args[0] === "click" || args[0] === "input" || args[0] === "change") note(listening, self ?? globalThis, true);
      if (args[0] === "scroll" || args[0] === "scrollend" || args[0] === "resize") state.watchesFrames = true;
      return Reflect.apply(target, self, args);
    },
  });

  // What a page hears of with a frame of the browser, which draws when it likes: one is waited for after every event.
  for (const Observer of [globalThis.ResizeObserver, globalThis.IntersectionObserver]) {
    colobus.wrapNative(Observer.prototype, "observe", {
      apply(target, self, args) {
        state.watchesFrames = true;
        return Reflect.apply(target, self, args);
      },
    });
  }

  // Unlogged runs what Colobus itself wants to know.
  const unlogged = (run) => (colobus.accesses ? colobus.accesses.aside(run) : run());

  const report = () => {
    const news = [];
    for (let at = 0; at < state.news.length; at++) {
      const timer = state.timers[state.news[at]];
      if (!timer) continue;
      const { id, kind, delay, due, by, site, tick, message } = timer;
      add(news, { id, kind, delay, due, by, site, tick, message });
    }
    const { cancelled } = state;
    state.news = [];
    state.cancelled = [];
    const sent = colobus.channels.takeSent();
    return { news, cancelled, sent, now: now(), parsing: readyState(document) === "loading", loaded };
  };

  const MOST_ROUNDS = 500;
  const { frameMs, listenMs, scriptMs } = colobus.settings.limits;
  // One that was taken out of the document meanwhile does not tell that it has run.
  const hasRun = async (url, times) => {
    const end = native.now() + scriptMs;
    while ((ran[url] ?? 0) <= times && native.now() < end) await pause();
  };
  const tasksRun = async () => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await turn();
      await pause();
      if (round >= 2 && state.reading === 0 && !colobus.channels.isBusy() && !colobus.ports.isBusy()) return;
    }
  };
  // Resolves when the browser has drawn twice: observers of sizes and places have told what they saw by then.
  const drawn = () =>
    new Promise((resolve) => {
      const limit = native.setTimeout(resolve, frameMs);
      const end = () => (native.clearTimeout(limit), resolve());
      native.requestAnimationFrame(() => native.requestAnimationFrame(end));
    });
  // Scrolling that is only a trial is not heard of: this listener comes before any of the page's.
  let isTrial = false;
  const stop = part(Event.prototype, "stopImmediatePropagation", "value");
  addEventListener(globalThis, "scroll", (event) => isTrial && stop(event), true);
  addEventListener(globalThis, "scrollend", (event) => isTrial && stop(event), true);

  let aimed;
  colobus.held = {
    state,
    // The event with this name runs from now on, at this moment of the page's clock or later.
    begin(name, at) {
      remember(takeRecords(observer));
      state.event = name;
      state.draws = 0;
      state.isDrawn = false;
      const { time } = colobus.clock;
      if (time.now < at * 1000) time.now = at * 1000;
      colobus.accesses?.begin(name);
    },
    // Runs a callback in a task of its own.
    fire(id) {
      const timer = state.timers[id];
      if (!timer) return false;
      if (timer.every === undefined) state.timers[id] = undefined;
      post(() => {
        try {
          timer.run();
        } catch (error) {
          reportError(error);
        }
        if (timer.every === undefined || state.timers[id] !== timer) return;
        timer.tick++;
        timer.due += timer.every;
        add(state.news, id);
      });
      return turn().then(() => true);
    },
    // Resolves when the page has run all tasks that are ready, with what was registered since the last time. A script whose
    // answer has just come is waited for until it has run more often than so many times.
    async drain(script, times) {
      if (script) await hasRun(script, times);
      await tasksRun();
      // Before `load` a style sheet that is held may keep the browser from drawing.
      if (state.watchesFrames && !state.isDrawn && loaded) {
        state.isDrawn = true;
        await drawn();
        await tasksRun();
      }
      return report();
    },
    // How often a script with this address has run, or failed to.
    timesRun: (url) => ran[url] ?? 0,
    // Whether something waits that was not reported yet. A server whose connection is open gets some time to say more.
    async listen() {
      const end = native.now() + listenMs;
      while (colobus.channels.isOpen() && state.news.length === 0 && native.now() < end) await pause();
      return state.news.length > 0;
    },
    drawn,
    // Before the user acts on the element that a locator finds, or on the one with the focus.
    aim(locator) {
      if (!colobus.nodes) return;
      aimed = unlogged(() => {
        const target = locator ? colobus.locators.find(locator).elements[0] : document.activeElement;
        return target && { target, value: target.value, checked: target.checked };
      });
    },
    // What the browser itself read and changed when the user acted: whether the element is disabled, what it holds.
    acted() {
      if (!colobus.nodes || !aimed) return;
      const { touchNode } = colobus.nodes;
      const { READ, WRITE } = colobus.log;
      const { target, value, checked } = aimed;
      touchNode(target, "@disabled", READ, null);
      const [newValue, newChecked] = unlogged(() => [target.value, target.checked]);
      if (value !== newValue) touchNode(target, "value", WRITE, null);
      if (checked !== newChecked) touchNode(target, "checked", WRITE, null);
    },
    log: () => colobus.accesses?.take() ?? null,
    // How a script with this address is executed.
    timing: (url) =>
      unlogged(() => {
        for (const script of document.scripts) {
          if (script.src !== url) continue;
          if (script.type === "module") return "module";
          if (script.async) return "async";
          return script.defer ? "deferred" : "blocking";
        }
        return null;
      }),
    locate: (locator, at) => unlogged(() => colobus.input.locate(locator, at)),
    shown: (locator) => unlogged(() => colobus.input.shown(locator)),
    // The events that put an element and those around it into the document.
    makers: (locator) =>
      unlogged(() => {
        remember(takeRecords(observer));
        const names = [];
        for (let [node] = colobus.locators.find(locator).elements; node; node = node.parentNode) {
          const name = noted(makers, node);
          if (name !== undefined && !names.includes(name)) names.push(name);
        }
        return names;
      }),
    // Whether a user who scrolls to the element that a locator finds could click on it: nothing, or {problem}. All is as before afterwards.
    async obstacle(locator) {
      const scrolled = [];
      const outcome = unlogged(() => {
        for (let [node] = colobus.locators.find(locator).elements; node; node = node.parentElement) {
          scrolled.push([node, node.scrollLeft, node.scrollTop]);
        }
        const { problem } = colobus.input.locate(locator);
        for (const [node, left, top] of scrolled) {
          if (node.scrollLeft !== left || node.scrollTop !== top) {
            isTrial = true;
            node.scrollTo({ left, top, behavior: "instant" });
          }
        }
        return { problem };
      });
      if (isTrial) await drawn();
      isTrial = false;
      return outcome;
    },
    // What a user can click on or type into, with whether something listens to it.
    offers: () =>
      unlogged(() => {
        const path = (element) => {
          if (element.id) return `#${CSS.escape(element.id)}`;
          const parent = element.parentElement;
          if (!parent || element === document.body) return element.localName;
          const alike = [...parent.children].filter((child) => child.localName === element.localName);
          const nth = alike.length > 1 ? `:nth-of-type(${alike.indexOf(element) + 1})` : "";
          return `${path(parent)} > ${element.localName}${nth}`;
        };
        const leaves = (element) => {
          const link = element.closest("a[href]");
          if (link) return !link.getAttribute("href").startsWith("#") && !link.onclick && !noted(listening, link);
          const form = element.form;
          if (!form || element.type !== "submit") return false;
          return !form.onsubmit && !noted(listening, form);
        };
        const found = [];
        for (const element of document.querySelectorAll("body *")) {
          const isField = element.matches("input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=file]), textarea");
          const isButton = element.matches("button, summary, input[type=checkbox], input[type=radio], input[type=button], input[type=submit], [role=button]");
          const listens = noted(listening, element) === true || typeof element.onclick === "function";
          if (!(isField || isButton || listens) || element.disabled || leaves(element)) continue;
          const selector = path(element);
          // Scrolling there would be an event that no user has caused.
          if (colobus.input.offered(selector).problem) continue;
          found.push({ selector, field: isField });
          if (found.length === 200) break;
        }
        return found;
      }),
  };
})(globalThis[Symbol.for("colobus")]);
