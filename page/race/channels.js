// channels: sockets and event streams whose events (open, message, error, close) come one by one. While a page is recorded
// each stands before one of the browser's own, and what that brings waits until it is released. Afterwards nothing is
// connected: what was recorded comes again once the page has connected and sent as much as it had then. `settings.messages`
// is what was recorded; `colobus.hold` makes something an event that waits. Nothing here calls a function that the files of
// accesses/ wrap, so that Colobus leaves no trace in the page's log.
((colobus) => {
  const { hold } = colobus;
  if (!hold) return;
  const { native, settings } = colobus;
  const { CloseEvent, Event, EventTarget, MessageEvent, Blob, Uint8Array, URL, ArrayBuffer, String } = globalThis;
  const { atob, btoa } = globalThis;
  const code = Function.prototype.call.bind(String.prototype.charCodeAt);
  const listen = Function.prototype.call.bind(EventTarget.prototype.addEventListener);
  const dispatch = Function.prototype.call.bind(EventTarget.prototype.dispatchEvent);
  const base = location.href;
  const own = location.origin;
  const live = settings.messages === null;
  // How many connections there were to each address.
  const connections = { __proto__: null };
  // What page code sent, for the driver; how many connections of the browser's own are open, and when the last moved.
  const state = { sent: [], open: 0, moved: 0 };

  const add = (list, item) => {
    list[list.length] = item;
  };
  const encoded = (buffer) => {
    const bytes = new Uint8Array(buffer);
    let text = "";
    for (let at = 0; at < bytes.length; at++) text += String.fromCharCode(bytes[at]);
    return btoa(text);
  };
  const decoded = (text) => {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = code(characters, at);
    return bytes.buffer;
  };

  // What both kinds have in common. `word` is the kind, `connect` opens one of the browser's own.
  const make = (word, address, newTarget, connect) => {
    const url = new URL(address, base);
    if (word === "socket") url.protocol = url.protocol.replace("http", "ws");
    const origin = url.origin.replace("ws", "http");
    const path = (origin === own ? "" : url.host) + url.pathname + url.search;
    const key = `${word} ${path}`;
    connections[key] = (connections[key] ?? 0) + 1;
    const connection = connections[key];
    const channel = {
      target: Reflect.construct(EventTarget, [], newTarget),
      url: url.href,
      origin: url.origin,
      of: connection > 1 ? `${path} #${connection}` : path,
      readyState: 0,
      binaryType: "blob",
      // How often page code has sent something: what comes afterwards may be the answer.
      causes: 0,
      by: colobus.held?.state.event ?? "",
      at: colobus.clock ? colobus.clock.time.now / 1000 : 0,
      since: native.now(),
      count: 0,
      waiting: [],
      over: false,
    };
    const { target } = channel;

    const event = (message) => {
      const { type, data, binary, lastEventId } = message;
      if (type === "open" || type === "error") return new Event(type);
      if (type === "close") return new CloseEvent(type, { code: message.code, wasClean: message.code === 1000 });
      const buffer = binary && decoded(data);
      const content = !binary ? data : channel.binaryType === "blob" ? new Blob([buffer]) : buffer;
      return new MessageEvent(type, { data: content, origin: channel.origin, lastEventId });
    };
    const touch = (kind, name, how) =>
      colobus.log?.touchOther([kind, colobus.log.numberOf(target), name], colobus.log[how]);
    const turns = (readyState) => {
      touch("property", "readyState", "WRITE");
      channel.readyState = readyState;
    };
    const deliver = (message) => {
      if (message.readyState !== undefined) turns(message.readyState);
      // A listener that is added too late does not hear it.
      touch("handler", message.type, "READ");
      dispatch(target, event(message));
    };
    const wait = (message, recorded) => {
      channel.count++;
      const { by, at } = channel;
      const { of = channel.of, number = channel.count } = message;
      const details = { channel: word, of, number, recorded: recorded && { ...recorded, number } };
      const cancel = hold({ run: () => deliver(message), due: at + message.latency, latency: message.latency, by, details });
      add(channel.waiting, cancel);
    };
    const arrives = (message) => {
      if (channel.over) return;
      state.moved = native.now();
      message.latency = native.now() - channel.since;
      wait(message, { ...message, channel: word, of: channel.of, causes: channel.causes });
    };
    const recall = () => {
      if (live) return;
      for (let at = 0; at < settings.messages.length; at++) {
        const message = settings.messages[at];
        const isNext = message.channel === word && message.of === channel.of && message.causes === channel.causes;
        if (isNext) wait({ ...message });
      }
    };
    // Page code has done something that a server may answer.
    const causes = () => {
      channel.causes++;
      channel.by = colobus.held?.state.event ?? "";
      channel.at = colobus.clock ? colobus.clock.time.now / 1000 : 0;
      channel.since = native.now();
      state.moved = channel.since;
      recall();
    };
    const end = () => {
      if (channel.over) return;
      channel.over = true;
      if (channel.real) state.open--;
      for (let at = 0; at < channel.waiting.length; at++) channel.waiting[at]();
    };

    const handlers = { __proto__: null };
    const handlerOf = (type) => ({
      get: () => handlers[type] ?? null,
      set(handler) {
        touch("handler", type, "WRITE");
        if (!(type in handlers)) listen(target, type, (event) => handlers[type] && Reflect.apply(handlers[type], target, [event]));
        handlers[type] = typeof handler === "function" ? handler : null;
      },
      enumerable: true,
      configurable: true,
    });
    const define = (properties) => {
      for (const name in properties) Object.defineProperty(target, name, { configurable: true, ...properties[name] });
    };
    define({
      url: { value: channel.url },
      readyState: { get: () => channel.readyState },
      onopen: handlerOf("open"),
      onmessage: handlerOf("message"),
      onerror: handlerOf("error"),
    });
    if (live) {
      state.open++;
      state.moved = native.now();
      channel.real = connect(channel, arrives);
    } else {
      recall();
    }
    return { channel, target, define, handlerOf, touch, turns, wait, causes, end };
  };

  const NativeSocket = globalThis.WebSocket;
  const openSocket = (protocols) => (channel, arrives) => {
    const real = new NativeSocket(channel.url, protocols);
    real.binaryType = "arraybuffer";
    listen(real, "open", () => arrives({ type: "open", readyState: 1 }));
    listen(real, "error", () => arrives({ type: "error" }));
    listen(real, "close", ({ code }) => arrives({ type: "close", code, readyState: 3 }));
    listen(real, "message", ({ data }) => {
      const binary = data instanceof ArrayBuffer;
      arrives({ type: "message", data: binary ? encoded(data) : data, binary });
    });
    return real;
  };
  colobus.wrapNative(globalThis, "WebSocket", {
    construct(constructor, [address, protocols = []], newTarget) {
      const made = make("socket", address, newTarget, openSocket(protocols));
      const { channel, target, define, handlerOf, touch, turns, wait, causes, end } = made;
      define({
        protocol: { value: "" },
        extensions: { value: "" },
        bufferedAmount: { value: 0 },
        binaryType: { get: () => channel.binaryType, set: (value) => (channel.binaryType = value) },
        onclose: handlerOf("close"),
        send: {
          value(data) {
            touch("property", "readyState", "READ");
            if (channel.readyState === 0) throw new DOMException("Still in CONNECTING state.", "InvalidStateError");
            if (channel.readyState !== 1) return;
            add(state.sent, { of: channel.of, data: typeof data === "string" ? data : "binary" });
            causes();
            channel.real?.send(data);
          },
        },
        close: {
          value(code, reason) {
            if (channel.readyState > 1) return;
            turns(2);
            channel.real?.close(code, reason);
            end();
            causes();
            // The answer to closing comes by itself.
            wait({ type: "close", code: 1000, readyState: 3, latency: 1, of: `${channel.of} closed`, number: 1 });
          },
        },
      });
      return target;
    },
  });
  WebSocket.prototype.constructor = WebSocket;

  const NativeStream = globalThis.EventSource;
  const streamTypes = ["message"];
  const openStream = (options) => (channel, arrives) => {
    const real = new NativeStream(channel.url, options);
    listen(real, "open", () => arrives({ type: "open", readyState: 1 }));
    listen(real, "error", () => arrives({ type: "error", readyState: real.readyState }));
    channel.hear = (type) => listen(real, type, ({ data, lastEventId }) => arrives({ type, data, lastEventId }));
    for (let at = 0; at < streamTypes.length; at++) channel.hear(streamTypes[at]);
    return real;
  };
  colobus.wrapNative(globalThis, "EventSource", {
    construct(constructor, [address, options], newTarget) {
      const { channel, target, define, turns, end } = make("stream", address, newTarget, openStream(options));
      define({
        withCredentials: { value: Boolean(options?.withCredentials) },
        close: {
          value() {
            turns(2);
            channel.real?.close();
            end();
          },
        },
      });
      const heard = { __proto__: null, open: true, error: true, message: true };
      Object.defineProperty(target, "addEventListener", {
        configurable: true,
        value(type, ...rest) {
          if (!(type in heard)) {
            heard[type] = true;
            channel.hear?.(type);
          }
          return EventTarget.prototype.addEventListener.call(target, type, ...rest);
        },
      });
      return target;
    },
  });
  EventSource.prototype.constructor = EventSource;

  colobus.channels = {
    // Whether a server may be about to say something.
    isBusy: () => live && state.open > 0 && native.now() - state.moved < colobus.settings.limits.silenceMs,
    isOpen: () => live && state.open > 0,
    takeSent() {
      const { sent } = state;
      state.sent = [];
      return sent;
    },
  };
})(globalThis[Symbol.for("colobus")]);
