// timers: what the program has put off, as events of their own. A timer that the program's own code sets does not run by itself
// here; those of libraries do.
((colobus) => {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const pending = new Map();
  // No number that the browser gives.
  let last = 1_000_000_000;

  // Sets or clears a timer in the place of the browser's functions; nothing for other functions.
  const before = (f, values, site) => {
    const [callback, delay, ...given] = values;
    if ((f === setTimeout || f === setInterval) && typeof callback === "function") {
      last += 1;
      pending.set(last, { callback, given, site, delay: Math.max(0, Number(delay) || 0), repeats: f === setInterval });
      return { result: last };
    }
    return (f === clearTimeout || f === clearInterval) && pending.delete(callback) ? { result: undefined } : null;
  };

  // The timers that wait, by where they were set; several from one place are numbered.
  const waiting = () => {
    const counts = new Map();
    return [...pending].map(([id, timer]) => {
      const count = (counts.get(timer.site) ?? 0) + 1;
      counts.set(timer.site, count);
      return { id, ...timer, key: `timer ${timer.site}~${count}` };
    });
  };
  // Of several from one place only the first is offered: a page that sets one more with every click would have no end of states.
  const offers = () => waiting().filter(({ key }) => key.endsWith("~1")).map(({ key, site, delay }) => ({ key, timer: { site, delay }, followed: true, field: null }));
  // What happens when a timer is over.
  const over = (key) => {
    const timer = waiting().find((timer) => timer.key === key);
    if (!timer) return null;
    return () => {
      if (!timer.repeats) pending.delete(timer.id);
      Reflect.apply(timer.callback, globalThis, timer.given);
    };
  };

  colobus.concolic.timers = { before, offers, over };
})(globalThis[Symbol.for("colobus")]);
