// ports: messages of web workers, message ports, broadcast channels and windows, one by one. The browser brings each to a listener that
// was there before any of the page's; that one keeps it, and dispatches it again when it is its turn. Workers run as they are:
// after a message to one, what it said then in the recording is waited for. `colobus.hold` makes something an event that waits.
// Nothing here calls a function that the files of accesses/ wrap, so that Colobus leaves no trace in the page's log.
((colobus) => {
  const { hold } = colobus;
  if (!hold) return;
  const { native, settings } = colobus;
  const { EventTarget, MessageEvent, URL, WeakMap, WeakSet } = globalThis;
  const unbound = (method) => Function.prototype.call.bind(method);
  const listen = unbound(EventTarget.prototype.addEventListener);
  const dispatch = unbound(EventTarget.prototype.dispatchEvent);
  const stop = unbound(Event.prototype.stopImmediatePropagation);
  const [noted, note, isKnown, know] =
    [WeakMap.prototype.get, WeakMap.prototype.set, WeakSet.prototype.has, WeakSet.prototype.add].map(unbound);
  const base = location.href;
  const own = location.origin;
  const live = settings.messages === null;
  const now = () => (colobus.clock ? colobus.clock.time.now / 1000 : 0);
  const add = (list, item) => {
    list[list.length] = item;
  };

  // Frames of the same origin count on with the page around them.
  const state = colobus.above?.ports?.state ?? { channels: 0, made: { __proto__: null }, workers: [] };
  const again = new WeakSet();
  const keepers = new WeakMap();
  // The other end of each port, while both are in this page.
  const peers = new WeakMap();

  const numbered = (name) => {
    state.made[name] = (state.made[name] ?? 0) + 1;
    return state.made[name] > 1 ? `${name} #${state.made[name]}` : name;
  };

  // How many messages the recording has of a worker that was told so often.
  const expected = (keeper) => {
    let count = 0;
    for (let at = 0; at < settings.messages.length; at++) {
      const { channel, of, causes } = settings.messages[at];
      if (channel === "worker" && of === keeper.of && causes <= keeper.causes) count++;
    }
    return count;
  };

  // Keeps the messages of a target. `word` is the sort of channel, `of` the name of this one.
  const keep = (target, word, of) => {
    const keeper = { word, of, count: 0, causes: 0, waiting: [], moved: native.now() };
    note(keepers, target, keeper);
    if (word === "worker") add(state.workers, keeper);
    const receive = (event) => {
      if (isKnown(again, event)) return;
      stop(event);
      const { type, data, origin, lastEventId, source, ports } = event;
      for (let at = 0; at < ports.length; at++) keep(ports[at], "worker", numbered(`${keeper.of} port`));
      keeper.count++;
      const latency = native.now() - keeper.moved;
      keeper.moved = native.now();
      const message = { channel: keeper.word, of: keeper.of, number: keeper.count };
      const recorded = { ...message, type, causes: keeper.causes, latency };
      const run = () => {
        const repeated = new MessageEvent(type, { data, origin, lastEventId, source, ports: [...ports] });
        know(again, repeated);
        // A listener that is added too late does not hear it.
        colobus.log?.touchOther(["handler", colobus.log.numberOf(target), type], colobus.log.READ);
        dispatch(target, repeated);
      };
      const details = { ...message, recorded: live && keeper.word === "worker" ? recorded : undefined };
      add(keeper.waiting, hold({ run, due: now(), latency: 0, by: colobus.held?.state.event ?? "", details }));
    };
    listen(target, "message", receive, { capture: true });
    listen(target, "messageerror", receive, { capture: true });
    return target;
  };
  // It is told something: what it says from now on may be the answer.
  const told = (target) => {
    const keeper = noted(keepers, target);
    if (!keeper) return;
    keeper.causes++;
    keeper.moved = native.now();
  };
  const ends = (target) => {
    const keeper = noted(keepers, target);
    if (!keeper) return;
    keeper.isOver = true;
    for (let at = 0; at < keeper.waiting.length; at++) keeper.waiting[at]();
  };
  // Ports that are handed over: their other ends are told by another thread or window from now on.
  const handsOver = (transferred) => {
    const list = transferred?.transfer ?? transferred;
    if (!list || typeof list !== "object") return;
    for (let at = 0; at < (list.length ?? 0); at++) {
      const keeper = noted(keepers, noted(peers, list[at]));
      if (!keeper || keeper.word !== "port") continue;
      keeper.word = "worker";
      add(state.workers, keeper);
    }
  };

  const pathOf = (address) => {
    const url = new URL(address, base);
    if (!url.protocol.startsWith("http")) return url.protocol.slice(0, -1);
    return (url.origin === own ? "" : url.host) + url.pathname;
  };
  colobus.wrapNative(globalThis, "Worker", {
    construct: (constructor, args, newTarget) =>
      keep(Reflect.construct(constructor, args, newTarget), "worker", numbered(pathOf(args[0]))),
  });
  colobus.wrapNative(globalThis, "SharedWorker", {
    construct(constructor, args, newTarget) {
      const worker = Reflect.construct(constructor, args, newTarget);
      keep(worker.port, "worker", numbered(pathOf(args[0])));
      return worker;
    },
  });
  colobus.wrapNative(globalThis, "MessageChannel", {
    construct(constructor, args, newTarget) {
      const channel = Reflect.construct(constructor, args, newTarget);
      const { port1, port2 } = channel;
      const number = ++state.channels;
      note(peers, port1, port2);
      note(peers, port2, port1);
      keep(port1, "port", `${number}.1`);
      keep(port2, "port", `${number}.2`);
      return channel;
    },
  });
  colobus.wrapNative(globalThis, "BroadcastChannel", {
    construct: (constructor, args, newTarget) =>
      keep(Reflect.construct(constructor, args, newTarget), "broadcast", numbered(String(args[0]))),
  });
  keep(globalThis, "window", colobus.above ? numbered("frame") : "page");

  const replace = (owner, name, before) =>
    owner &&
    colobus.wrapNative(owner, name, {
      apply(target, self, args) {
        before(self, args);
        return Reflect.apply(target, self, args);
      },
    });
  const sends = (self, args) => (told(self), handsOver(args[1]));
  replace(globalThis.Worker?.prototype, "postMessage", sends);
  replace(MessagePort.prototype, "postMessage", sends);
  replace(globalThis, "postMessage", (self, args) => handsOver(args[2] ?? args[1]));
  replace(globalThis.Worker?.prototype, "terminate", ends);
  replace(MessagePort.prototype, "close", ends);
  replace(globalThis.BroadcastChannel?.prototype, "close", ends);

  const isWaitedFor = (keeper) => {
    if (keeper.isOver) return false;
    const silence = native.now() - keeper.moved;
    if (live) return silence < settings.limits.silenceMs;
    return keeper.count < expected(keeper) && silence < settings.limits.scriptMs;
  };
  colobus.ports = {
    state,
    // Whether a worker may be about to say something.
    isBusy() {
      for (let at = 0; at < state.workers.length; at++) if (isWaitedFor(state.workers[at])) return true;
      return false;
    },
  };
})(globalThis[Symbol.for("colobus")]);
