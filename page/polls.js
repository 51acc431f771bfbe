// polls: timers that go off again and again, or late, and the requests that they send. A page that asks its server every second
// learns of a change only then, so that settling has to know of such timers: when they go off next, how often they did, how
// many requests they sent, and whether the last two answers were the same. From the first time that everything settles,
// timers that read go off only when it lets them: a page that polls by itself never comes to rest, and polls that come in the
// middle of a user's actions are in another place each time.
((colobus) => {
  const { native } = colobus;
  // Frames of the same origin write into the list of the uppermost one, which is the one that is asked.
  // key -> {key, every, due, early, fired, method, url, sent, answered, same, last, let, postponed}. early: id -> what
  // makes the one that is set go off before its time; let: how often it may go off; postponed: id -> what it would have done;
  // hurried: how many requests it had sent when it was made to go off early the last time.
  const timers = colobus.above?.polls?.timers ?? new Map();
  const gate = colobus.above?.polls?.gate ?? { closed: false };
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
    if (!timers.has(key)) {
      const counts = { fired: 0, sent: 0, answered: 0, same: 0, let: 0 };
      timers.set(key, { key, every: 0, due: 0, early: new Map(), postponed: new Map(), ...counts });
    }
    return timers.get(key);
  };
  // Only what reads may wait: what a page saves now and then belongs to what its user does. Of several that run the same code,
  // nothing tells which of them polls.
  const reads = (timer) => timer.sent > 0 && timer.method === "GET" && timer.early.size <= 1;
  const mayGoOff = (timer, repeats) => {
    if (!reads(timer)) return true;
    // While the page is opened, polls of a server that takes longer than their period would pile up: a browser sends equal requests one
    // after the other. What sets itself again does so without us.
    if (!gate.closed) return !repeats || timer.answered >= timer.sent;
    if (timer.let === 0) return false;
    timer.let--;
    return true;
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
    const forget = (id) => {
      set.get(id)?.early.delete(id);
      set.get(id)?.postponed.delete(id);
      set.delete(id);
    };
    const cancelBelow = globalThis.clearTimeout;
    colobus.wrapNative(globalThis, name, {
      apply(target, self, args) {
        const [callback, delay, ...rest] = args;
        const every = Math.max(0, Number(delay) || 0);
        if (typeof callback !== "function" || every <= colobus.settings.timersMs) return Reflect.apply(target, self, args);
        const timer = timerOf(keyOf(name, callback, every));
        timer.every = every;
        timer.due = now() + every;
        let id;
        const goOff = function (...values) {
          timer.fired++;
          if (!repeats) forget(id);
          running = timer;
          try {
            return Reflect.apply(callback, this, values);
          } finally {
            leave(timer);
          }
        };
        const wrapped = function (...values) {
          if (repeats) timer.due = now() + every;
          if (mayGoOff(timer, repeats)) return Reflect.apply(goOff, this, values);
          // One that repeats goes off the next time.
          if (!repeats) timer.postponed.set(id, () => Reflect.apply(goOff, this, values));
          return undefined;
        };
        id = Number(Reflect.apply(target, self, [wrapped, delay, ...rest]));
        set.set(id, timer);
        timer.early.set(id, () => {
          if (!repeats) cancelBelow(id);
          Reflect.apply(goOff, globalThis, rest);
        });
        return id;
      },
    });
    for (const cancel of cancels) {
      colobus.wrapNative(globalThis, cancel, {
        apply(target, self, args) {
          forget(Number(args[0]));
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

  // Makes one timer go off in a task of its own, as timers do.
  const inTask = (run) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      run();
    };
    native.post.call(port2, null);
  };

  colobus.polls = {
    timers,
    beside,
    gate,
    // Every timer that reads may go off once more: when its time comes, or at once. One that was made to go off early and sent
    // nothing goes by the time: that has to come.
    allow(atOnce) {
      gate.closed = true;
      for (const timer of timers.values()) {
        if (!reads(timer)) continue;
        const [early] = timer.early.values();
        const [postponed] = timer.postponed.values();
        const run = postponed ?? (atOnce && timer.hurried !== timer.sent ? early : undefined);
        timer.let = run ? 0 : 1;
        if (!run) continue;
        timer.hurried = timer.sent;
        inTask(run);
      }
    },
    // Every timer that reads and is set goes off now, whatever else is allowed; returns when all have.
    async now() {
      for (const timer of timers.values()) {
        if (!reads(timer)) continue;
        const [early] = timer.early.values();
        const [postponed] = timer.postponed.values();
        const run = postponed ?? early;
        if (!run) continue;
        timer.hurried = timer.sent;
        await new Promise((done) =>
          inTask(() => {
            done();
            run();
          }),
        );
      }
    },
    // The same when its time comes, if polls wait for being let.
    again() {
      if (gate.closed) colobus.polls.allow(false);
    },
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
      [...timers.values()].map(({ key, every, due, early, fired, method, url, sent, answered, same }) => ({
        key,
        every_ms: every,
        next_ms: early.size > 0 ? Math.max(0, due - now()) : null,
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
