// passing: lets time pass in a page whose clock is the browser's. Timers that would go off meanwhile do, each in its turn, and
// from then on the page's time is ahead of the real one. Until it is asked for, nothing is different.
((colobus) => {
  if (colobus.time) return;
  const { native } = colobus;
  // Enough for every page but one that sets timers for ever.
  const MOST_TIMERS = 2000;

  // id -> {due, every, run}: when it goes off, on the page's clock.
  const timers = new Map();
  let ahead = 0;
  const now = () => native.now() + ahead;

  const known = (name, repeats) =>
    colobus.wrapNative(globalThis, name, {
      apply(target, self, args) {
        const [callback, delay, ...rest] = args;
        if (typeof callback !== "function") return Reflect.apply(target, self, args);
        const wait = Math.max(0, Number(delay) || 0);
        const timer = { due: now() + wait, every: repeats ? Math.max(1, wait) : undefined };
        timer.run = () => {
          if (repeats) timer.due = now() + timer.every;
          else timers.delete(timer.id);
          return Reflect.apply(callback, globalThis, rest);
        };
        timer.id = Reflect.apply(target, self, [() => timer.run(), delay]);
        timers.set(timer.id, timer);
        return timer.id;
      },
    });
  known("setTimeout", false);
  known("setInterval", true);
  for (const name of ["clearTimeout", "clearInterval"]) {
    colobus.wrapNative(globalThis, name, {
      apply(target, self, args) {
        timers.delete(Number(args[0]));
        return Reflect.apply(target, self, args);
      },
    });
  }

  const firstUntil = (end) => {
    let first;
    for (const timer of timers.values()) if (timer.due <= end && !(first?.due <= timer.due)) first = timer;
    return first;
  };

  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      native.post.call(port2, null);
    });

  // Code that asks for the time gets the page's own; only needed once it differs.
  let shifted = false;
  const shift = () => {
    if (shifted) return;
    shifted = true;
    const realNow = native.Date.now.bind(native.Date);
    const today = () => realNow() + Math.floor(ahead);
    colobus.wrapNative(globalThis, "Date", {
      apply: (target) => new target(today()).toString(),
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [today()] : args, newTarget),
    });
    native.Date.prototype.constructor = Date;
    colobus.wrapNative(native.Date, "now", { apply: today });
    colobus.wrapNative(Performance.prototype, "now", { apply: now });
  };

  colobus.time = {
    async pass(ms) {
      shift();
      const end = now() + ms;
      for (let count = 0; count < MOST_TIMERS; count++) {
        const timer = firstUntil(end);
        if (!timer) break;
        ahead += Math.max(0, timer.due - now());
        if (timer.every === undefined) native.clearTimeout(timer.id);
        try {
          timer.run();
        } catch (error) {
          reportError(error);
        }
        await turn();
      }
      ahead += Math.max(0, end - now());
    },
  };
})(globalThis[Symbol.for("colobus")]);
