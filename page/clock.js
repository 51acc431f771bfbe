// clock: the time that the page sees. It stands still while code runs, except that every look at it moves it a little (so
// that a loop that waits for time to pass ends), and jumps to the moment of each timer when its turn comes. Timers run in
// the order of their moments. By itself the clock waits as long as a real one would before it jumps; when the page is
// drained it does not wait. Only the length of waiting is real; what the page sees depends on nothing but its own events.
((colobus) => {
  if (!colobus.settings.clock) return;
  const { native } = colobus;
  // Microseconds, so that sums are exact.
  const MS = 1000;
  const LOOK = 5;
  const FRAME = 16667;
  const EPOCH_MS = native.Date.UTC(2026, 0, 1) + colobus.settings.load * 3_600_000;
  // As in browsers: timers that set timers, more than so many deep, wait at least so long.
  const DEEP = 5;
  const DEEP_MS = 4;
  const IDLE_MS = 50;

  // Frames of the same origin share the time; each has timers of its own, which end with it.
  const time = colobus.above?.clock?.time ?? { now: 0, orders: 0, horizon: -1, wakers: new Set() };

  const look = () => (time.now += LOOK) / MS;
  const today = () => EPOCH_MS + Math.floor(look());

  // Timers ------------------------------------------------------------------------------------------------------------
  // id -> {due, order, real, level, every, run}: when it is due on this clock and on the real one.
  const timers = new Map();
  let lastId = 0;
  let level = 0;
  let alarm;
  let posted = false;
  const channel = new MessageChannel();

  const isBefore = (a, b) => a.due < b.due || (a.due === b.due && a.order < b.order);
  const head = () => {
    let first;
    for (const timer of timers.values()) if (!first || isBefore(timer, first)) first = timer;
    return first;
  };
  const earliest = () => {
    let real = Infinity;
    for (const timer of timers.values()) real = Math.min(real, timer.real);
    return real;
  };

  // Sees to it that `ring` is called when something is to be done.
  const arm = () => {
    const first = head();
    native.clearTimeout(alarm);
    if (!first || posted) return;
    const wait = first.due <= time.horizon ? 0 : earliest() - native.now();
    if (wait > 0) {
      alarm = native.setTimeout(ring, wait);
    } else {
      posted = true;
      native.post.call(channel.port2, null);
    }
  };

  const schedule = (timer, delayMs) => {
    const atLeast = timer.level > DEEP ? Math.max(delayMs, DEEP_MS) : delayMs;
    timer.due = time.now + atLeast * MS;
    timer.order = ++time.orders;
    timer.real = native.now() + atLeast;
  };

  // Runs one timer: each is a task of its own, with the microtasks that it queues behind it.
  const ring = () => {
    posted = false;
    const timer = head();
    if (!timer || !(timer.due <= time.horizon || earliest() <= native.now())) return arm();
    time.now = Math.max(time.now, timer.due);
    if (timer.every === undefined) timers.delete(timer.id);
    level = timer.level;
    try {
      timer.run();
    } finally {
      level = 0;
      if (timers.get(timer.id) === timer) {
        timer.level++;
        schedule(timer, timer.every);
      }
      arm();
    }
  };
  channel.port1.onmessage = ring;
  time.wakers.add(arm);

  const set = (run, delayMs, every) => {
    const id = ++lastId;
    const timer = { id, level: level + 1, every, run };
    schedule(timer, delayMs);
    timers.set(id, timer);
    arm();
    return id;
  };
  const cancel = (id) => {
    timers.delete(Number(id));
  };
  // Code may be a text; a delay may be anything.
  const called = (callback, args) => {
    if (typeof callback === "function") return () => void Reflect.apply(callback, globalThis, args);
    const source = String(callback);
    return () => void (0, eval)(source);
  };
  const delayOf = (delay) => Math.max(0, Number(delay) | 0);

  const replace = (owner, name, apply) =>
    colobus.wrapNative(owner, name, { apply: (target, self, args) => apply(args, target, self) });
  replace(globalThis, "setTimeout", ([callback, delay, ...args]) => set(called(callback, args), delayOf(delay)));
  replace(globalThis, "setInterval", ([callback, delay, ...args]) =>
    set(called(callback, args), delayOf(delay), Math.max(1, delayOf(delay))));
  for (const name of ["clearTimeout", "clearInterval", "cancelIdleCallback"]) replace(globalThis, name, ([id]) => cancel(id));

  replace(globalThis, "requestIdleCallback", (args, target, self) => {
    const [callback] = args;
    if (typeof callback !== "function") return Reflect.apply(target, self, args);
    return set(() => {
      const end = time.now + IDLE_MS * MS;
      const deadline = Object.create(IdleDeadline.prototype, {
        didTimeout: { value: false },
        timeRemaining: { value: () => Math.max(0, end / MS - look()) },
      });
      Reflect.apply(callback, globalThis, [deadline]);
    }, 1);
  });

  // Frames come when the browser paints; on this clock they are as far apart as on a common screen.
  let painted;
  replace(globalThis, "requestAnimationFrame", (args, target, self) => {
    const [callback, ...rest] = args;
    if (typeof callback !== "function") return Reflect.apply(target, self, args);
    const frame = (stamp) => {
      if (stamp !== painted) time.now += FRAME;
      painted = stamp;
      return Reflect.apply(callback, globalThis, [time.now / MS]);
    };
    return Reflect.apply(target, self, [frame, ...rest]);
  });

  // Reading the time --------------------------------------------------------------------------------------------------
  colobus.wrapNative(globalThis, "Date", {
    apply: (target) => new target(today()).toString(),
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [today()] : args, newTarget),
  });
  native.Date.prototype.constructor = Date;
  replace(native.Date, "now", today);
  replace(Performance.prototype, "now", look);
  colobus.wrapNativeGetter(Performance.prototype, "timeOrigin", { apply: () => EPOCH_MS });

  // An event carries the time at which it was first looked at: the order is right, and no two are the same.
  const stamps = new WeakMap();
  colobus.wrapNativeGetter(Event.prototype, "timeStamp", {
    apply(target, self, args) {
      Reflect.apply(target, self, args);
      if (!stamps.has(self)) stamps.set(self, look());
      return stamps.get(self);
    },
  });

  // Formats that are given no date take the present one.
  const formats = new WeakMap();
  colobus.wrapNativeGetter(Intl.DateTimeFormat.prototype, "format", {
    apply(target, self, args) {
      const format = Reflect.apply(target, self, args);
      if (!formats.has(format)) formats.set(format, (date) => format(date === undefined ? today() : date));
      return formats.get(format);
    },
  });
  replace(Intl.DateTimeFormat.prototype, "formatToParts", ([date], target, self) =>
    Reflect.apply(target, self, [date === undefined ? today() : date]));

  if (globalThis.Temporal?.Now) {
    const { Instant, Now } = globalThis.Temporal;
    const instant = () => Instant.fromEpochMilliseconds(today());
    const zoned = (zone = Now.timeZoneId()) => instant().toZonedDateTimeISO(zone);
    replace(Now, "instant", instant);
    replace(Now, "zonedDateTimeISO", ([zone]) => zoned(zone));
    replace(Now, "plainDateTimeISO", ([zone]) => zoned(zone).toPlainDateTime());
    replace(Now, "plainDateISO", ([zone]) => zoned(zone).toPlainDate());
    replace(Now, "plainTimeISO", ([zone]) => zoned(zone).toPlainTime());
  }

  colobus.clock = {
    time,
    // Timers that are due within this time do not wait.
    hurry(ms) {
      time.horizon = time.now + (ms + DEEP_MS) * MS;
      for (const wake of time.wakers) wake();
    },
    rest() {
      time.horizon = -1;
    },
  };

  // Enough for every page but one that sets timers for ever.
  const MOST_TIMERS = 2000;
  colobus.time = {
    // Timers that would go off within this time do, one after the other.
    async pass(ms) {
      const end = time.now + ms * MS;
      for (let count = 0; count < MOST_TIMERS && head()?.due <= end; count++) {
        time.horizon = end;
        ring();
        await new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = resolve;
          native.post.call(port2, null);
        });
      }
      time.horizon = -1;
      time.now = Math.max(time.now, end);
    },
  };
})(globalThis[Symbol.for("colobus")]);
