// polls: timers that go off again and again, or late, and the requests that they send. A page that asks its server every second
// learns of a change only then, so that settling has to know of such timers: when they go off next, how often they did, how
// many requests they sent, and whether the last two answers were the same.
((colobus) => {
  const { native } = colobus;
  // Frames of the same origin write into the list of the uppermost one, which is the one that is asked.
  // key -> {key, every, due, waiting, fired, method, url, sent, answered, same, last}
  const timers = colobus.above?.polls?.timers ?? new Map();
  // Requests that no timer sent and that may change something, by method and path: they may go to the address that is polled.
  const beside = colobus.above?.polls?.beside ?? new Map();
  const placeOf = (method, url) => `${method} ${String(url).split("?")[0]}`;
  // The timer whose callback runs, and what follows from it in the same task.
  let running;

  const now = () => (colobus.clock ? colobus.clock.time.now / 1000 : native.now());

  // Timers that run the same code are one: a chain of timeouts sets another one each time. Of native code, which resolves
  // promises, the delay tells more.
  const keyOf = (name, callback, delay) => {
    const source = native.print.call(callback);
    return source.includes("[native code]") || name === "setInterval" ? `${name} ${delay} ${source}` : `${name} ${source}`;
  };
  const timerOf = (key) => {
    if (!timers.has(key)) timers.set(key, { key, every: 0, due: 0, waiting: 0, fired: 0, sent: 0, answered: 0, same: 0 });
    return timers.get(key);
  };
  // Microtasks that follow from the callback belong to it; the next task does not.
  const leave = (timer) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      if (running === timer) running = undefined;
    };
    native.post.call(port2, null);
  };

  const wrap = (name, repeats, cancels) => {
    const set = new Map();
    colobus.wrapNative(globalThis, name, {
      apply(target, self, args) {
        const [callback, delay, ...rest] = args;
        const every = Math.max(0, Number(delay) || 0);
        if (typeof callback !== "function" || every <= colobus.settings.timersMs) return Reflect.apply(target, self, args);
        const timer = timerOf(keyOf(name, callback, every));
        timer.every = every;
        timer.due = now() + every;
        timer.waiting++;
        let id;
        const wrapped = function (...values) {
          timer.fired++;
          if (repeats) timer.due = now() + every;
          else if (set.delete(id)) timer.waiting--;
          running = timer;
          try {
            return Reflect.apply(callback, this, values);
          } finally {
            leave(timer);
          }
        };
        id = Reflect.apply(target, self, [wrapped, delay, ...rest]);
        set.set(Number(id), timer);
        return id;
      },
    });
    for (const cancel of cancels) {
      colobus.wrapNative(globalThis, cancel, {
        apply(target, self, args) {
          const timer = set.get(Number(args[0]));
          if (timer && set.delete(Number(args[0]))) timer.waiting--;
          return Reflect.apply(target, self, args);
        },
      });
    }
  };
  wrap("setInterval", true, ["clearInterval", "clearTimeout"]);
  wrap("setTimeout", false, ["clearTimeout", "clearInterval"]);

  // Moments differ from answer to answer and mean nothing: dates, and numbers as long as those that clocks give.
  const withoutMoments = (text) =>
    text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?[.\d]*Z?/g, "T").replace(/\d\d:\d\d:\d\d/g, "T").replace(/\d{10,}/g, "N");

  colobus.polls = {
    timers,
    beside,
    // A request begins: a function that takes its answer as a text, if a timer sent it.
    sent(method, url) {
      const timer = running;
      if (!timer) {
        if (method === "GET") return undefined;
        const place = placeOf(method, url);
        beside.set(place, (beside.get(place) ?? 0) + 1);
        return undefined;
      }
      timer.method = method;
      timer.url = url;
      timer.sent++;
      return (answer) => {
        const text = withoutMoments(answer);
        timer.same = text === timer.last ? timer.same + 1 : 0;
        timer.last = text;
        timer.answered++;
      };
    },
    report: () =>
      [...timers.values()].map(({ key, every, due, waiting, fired, method, url, sent, answered, same }) => ({
        key,
        every_ms: every,
        next_ms: waiting > 0 ? Math.max(0, due - now()) : null,
        fired,
        method: method ?? "GET",
        url: url ?? null,
        beside: url ? (beside.get(placeOf(method, url)) ?? 0) : 0,
        sent,
        answered,
        same,
      })),
  };
})(globalThis[Symbol.for("colobus")]);
