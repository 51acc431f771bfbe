// settle: what is still going on in this page or worker. It knows the WebSocket messages that page code sent and received, the
// one-shot callbacks (timers, frames, idle callbacks) that are due soon, and the requests on their way.
((colobus) => {
  const { native } = colobus;
  // Frames of the same origin count in the uppermost one, which is the one that is asked.
  // pending: token -> {key, since, request, method, afterEqual, frame}, where request is an address or nothing; background: keys of
  // callbacks that go on and on, and are not waited for.
  // answered: address -> how many requests that read were answered since everything settled last.
  const counters = colobus.above?.settle?.counters ?? {
    sockets: new Set(),
    pending: new Map(),
    answered: new Map(),
    background: new Set(),
    posts: 0,
    finished: () => {},
  };

  const { requestMs, chain } = colobus.settings.limits;

  const begin = (key, { url, method, afterEqual = false } = {}) => {
    const token = {};
    counters.pending.set(token, { key, since: native.now(), request: url, method, afterEqual, frame: globalThis });
    return token;
  };
  const answer = (token) => {
    const { request, method } = counters.pending.get(token) ?? {};
    if (method === "GET") counters.answered.set(request, (counters.answered.get(request) ?? 0) + 1);
    end(token);
  };
  // Of addresses that nothing is asked for at the moment, nothing has to be known.
  const forgetAnswered = () => {
    const asked = new Set([...counters.pending.values()].map(({ request }) => request));
    for (const url of counters.answered.keys()) if (!asked.has(url)) counters.answered.delete(url);
  };
  const end = (token) => {
    if (!token || !counters.pending.delete(token)) return;
    colobus.activity?.happened();
    counters.finished();
  };

  // Callbacks that run once -------------------------------------------------------------------------------------------
  const once = (schedule, cancels, delayOf) => {
    const tokens = new Map();
    colobus.wrapNative(globalThis, schedule, {
      apply(target, self, args) {
        const [callback, ...rest] = args;
        const delay = delayOf(rest[0]);
        if (typeof callback !== "function" || delay > colobus.settings.timersMs) return Reflect.apply(target, self, args);
        const token = begin(`${schedule} ${delay} ${native.print.call(callback)}`);
        let id;
        const wrapped = function (...values) {
          tokens.delete(id);
          try {
            return Reflect.apply(callback, this, values);
          } finally {
            end(token);
          }
        };
        try {
          id = Reflect.apply(target, self, [wrapped, ...rest]);
        } catch (error) {
          end(token);
          throw error;
        }
        tokens.set(id, token);
        return id;
      },
    });
    for (const cancel of cancels) {
      colobus.wrapNative(globalThis, cancel, {
        apply(target, self, args) {
          end(tokens.get(Number(args[0])));
          tokens.delete(Number(args[0]));
          return Reflect.apply(target, self, args);
        },
      });
    }
  };
  once("setTimeout", ["clearTimeout", "clearInterval"], (delay) => Math.max(0, Number(delay) || 0));
  once("requestAnimationFrame", ["cancelAnimationFrame"], () => 0);
  once("requestIdleCallback", ["cancelIdleCallback"], () => 0);

  // Requests ----------------------------------------------------------------------------------------------------------
  // The address as it is sent; of what cannot be one, whatever it says.
  const address = (of) => {
    try {
      const url = new URL(of, globalThis.document?.baseURI ?? location.href);
      // What is not part of it in a request line.
      url.hash = url.username = url.password = "";
      return url.href;
    } catch {
      return String(of);
    }
  };
  const untilSettled = (owner, name, requestOf, finish, begun = () => {}) => {
    colobus.wrapNative(owner, name, {
      apply(target, self, args) {
        const promise = Reflect.apply(target, self, args);
        const request = requestOf(self, args);
        const token = begin(name, request);
        const done = () => finish(token);
        begun(request.method, request.url, promise);
        Promise.prototype.then.call(promise, done, done);
        return promise;
      },
    });
  };
  // What a timer asked for is read a second time, to be compared with the next answer.
  const text = Response.prototype.text;
  const methods = new WeakMap();
  const compareAnswer = (method, url, promise) => {
    Promise.prototype.then.call(promise, (response) => methods.set(response, method), () => {});
    const answered = colobus.polls?.sent(method, url);
    if (!answered) return;
    const read = async (response) => `${response.status} ${await text.call(response.clone())}`;
    Promise.prototype.then.call(promise, (response) => read(response).then(answered, () => answered("unreadable")), () => answered("no answer"));
  };
  // A browser sends equal requests that its cache may answer one after the other: the answer to the first may be that to the next. What
  // is meant to go past the cache does not wait.
  const { Request: NativeRequest } = globalThis;
  const goesPastCache = (name, value) => ["cache-control", "pragma"].includes(String(name).toLowerCase()) && /no-cache/i.test(value);
  const mayWaitForEqual = (what, options) => {
    try {
      const { cache, headers } = new NativeRequest(what, options);
      return cache !== "no-store" && cache !== "reload" && ![...headers].some(([name, value]) => goesPastCache(name, value));
    } catch {
      return false;
    }
  };
  const fetched = (_, [what, options]) => {
    const request = what instanceof NativeRequest ? what : { url: what, method: "GET" };
    const method = String(options?.method ?? request.method).toUpperCase();
    return { method, url: address(request.url), afterEqual: method === "GET" && mayWaitForEqual(what, options) };
  };
  untilSettled(globalThis, "fetch", fetched, answer, compareAnswer);
  for (const reader of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]) {
    untilSettled(Response.prototype, reader, (response) => ({ method: methods.get(response) ?? "GET", url: address(response.url) }), end);
  }
  const opened = new WeakMap();
  colobus.wrapNative(XMLHttpRequest.prototype, "open", {
    apply(target, self, args) {
      const method = String(args[0]).toUpperCase();
      opened.set(self, { method, url: args[1], afterEqual: method === "GET" });
      return Reflect.apply(target, self, args);
    },
  });
  colobus.wrapNative(XMLHttpRequest.prototype, "setRequestHeader", {
    apply(target, self, args) {
      if (opened.has(self) && goesPastCache(args[0], args[1])) opened.get(self).afterEqual = false;
      return Reflect.apply(target, self, args);
    },
  });
  colobus.wrapNative(XMLHttpRequest.prototype, "send", {
    apply(target, self, args) {
      const { method, url, afterEqual } = opened.get(self) ?? {};
      const token = begin("XMLHttpRequest", { url: address(url), method, afterEqual });
      const answered = colobus.polls?.sent(method, address(url));
      const over = () => {
        const readable = self.responseType === "" || self.responseType === "text" || self.responseType === "json";
        const text = readable ? JSON.stringify(self.response) : "";
        answered?.(`${self.status} ${text}`);
        answer(token);
      };
      EventTarget.prototype.addEventListener.call(self, "loadend", over, { once: true });
      try {
        return Reflect.apply(target, self, args);
      } catch (error) {
        end(token);
        throw error;
      }
    },
  });

  // WebSockets --------------------------------------------------------------------------------------------------------
  const records = new WeakMap();
  colobus.wrapNative(globalThis, "WebSocket", {
    construct(target, args, newTarget) {
      const socket = Reflect.construct(target, args, newTarget);
      const record = { socket, sent: 0, received: 0, since: native.now() };
      records.set(socket, record);
      counters.sockets.add(record);
      const listen = EventTarget.prototype.addEventListener.bind(socket);
      listen("message", () => {
        record.received++;
        colobus.activity?.happened();
      });
      listen("close", () => counters.sockets.delete(record));
      return socket;
    },
  });
  WebSocket.prototype.constructor = WebSocket;
  colobus.wrapNative(WebSocket.prototype, "send", {
    apply(target, self, args) {
      const result = Reflect.apply(target, self, args);
      const record = records.get(self);
      if (record && self.readyState === WebSocket.OPEN) record.sent++;
      return result;
    },
  });

  // Messages between windows and workers ------------------------------------------------------------------------------
  const counted = { apply: (target, self, args) => (counters.posts++, Reflect.apply(target, self, args)) };
  for (const owner of [globalThis, globalThis.Worker?.prototype, MessagePort.prototype, BroadcastChannel.prototype]) {
    if (owner) colobus.wrapNative(owner, "postMessage", counted);
  }

  // Questions ---------------------------------------------------------------------------------------------------------
  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      native.post.call(port2, null);
    });

  const due = (withRequests) =>
    [...counters.pending].filter(
      ([, { key, since, request }]) =>
        !counters.background.has(key) && (request ? withRequests && native.now() - since < requestMs : true),
    );

  const allGone = (waited) =>
    new Promise((resolve) => {
      const check = () => {
        if (waited.some(([token]) => counters.pending.has(token))) return;
        counters.finished = () => {};
        colobus.clock?.rest();
        resolve();
      };
      counters.finished = check;
      // On a clock of the page's own, timers that are waited for need not take their time.
      if (waited.some(([, { request }]) => request === undefined)) colobus.clock?.hurry(colobus.settings.timersMs);
      // A request that takes longer is left to the proxy, which knows when its answer comes.
      if (waited.some(([, { request }]) => request)) {
        native.setTimeout(() => {
          waited = waited.filter(([, { request }]) => !request);
          check();
        }, requestMs);
      }
      check();
    });

  // Resolves when nothing is due any more, with what the page says of its sockets. Callbacks that keep on setting new ones
  // are remembered as background. `withRequests` is false while messages are held: then no answer can come. `frame`: "next"
  // also waits for what happens when the page is painted (observers of sizes, scrolling), "of-look" for the frame that the last look
  // drew. `pollsWait`: from now on timers that
  // poll go off only when they are let.
  const drain = async ({ withRequests, frame, pollsWait }) => {
    if (pollsWait && colobus.polls) colobus.polls.gate.closed = true;
    if (frame === "of-look") await colobus.activity?.lookDrawn();
    for (let round = 0; ; round++) {
      await turn();
      await turn();
      if (frame === "next") {
        const before = colobus.activity?.counts.happened;
        await colobus.drawn();
        // Observers of sizes are told after the callbacks of a frame, those of what is in view in a task of their own.
        await turn();
        await turn();
        colobus.activity?.framed(before);
      }
      const waited = due(withRequests);
      if (waited.length === 0) break;
      if (round >= chain) {
        for (const [, { key, request }] of waited) if (!request) counters.background.add(key);
        break;
      }
      await allGone(waited);
    }
    if (withRequests) forgetAnswered();
    return report();
  };

  const report = () => {
    const sockets = [];
    const opening = [];
    let connecting = 0;
    for (const { socket, sent, received, since } of counters.sockets) {
      if (socket.readyState === 1) sockets.push({ url: socket.url, sent, received });
      if (socket.readyState !== 0) continue;
      const age = native.now() - since;
      opening.push({ url: socket.url, method: "GET", age_ms: age, after_equal: false, equals_answered: 0 });
      if (age < requestMs) connecting++;
    }
    // What a frame asked for that is gone is never answered.
    const expected = [...counters.pending.values()].filter(({ request, frame }) => request !== undefined && !frame.closed);
    const requests = expected.map(({ request, method, afterEqual, since }) => ({
      url: request,
      method,
      age_ms: native.now() - since,
      after_equal: afterEqual,
      equals_answered: counters.answered.get(request) ?? 0,
    }));
    const timers = colobus.polls?.report() ?? [];
    return { sockets, opening, connecting, requests, posts: counters.posts, timers, needs_frame: colobus.activity?.needsFrame() ?? true };
  };

  colobus.settle = { counters, drain };
})(globalThis[Symbol.for("colobus")]);
