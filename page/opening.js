// opening(options): what there is to know of a document that was just loaded, in one answer: whether something was kept from
// before (`leftovers`), its HTTP status (zero if it came without one), and, once it is ready and has its focus, what stood in the
// way of either (`notReady`, `notFocused`).
((colobus) => {
  const { native } = colobus;
  const isPromise = (value) => Object.prototype.toString.call(value) === "[object Promise]";
  const said = (error) => String(error?.stack ?? error).split("\n")[0];
  const printed = (value) => JSON.stringify(value) ?? "null";

  // A promise is ready when it resolves, unless it resolves with false; anything else when it is true.
  const ready = async (source) => {
    try {
      const value = native.evaluate(source);
      const answer = isPromise(value) ? ((await value) ?? true) : value;
      return answer ? undefined : `its value is ${printed(answer)}`;
    } catch (error) {
      return said(error);
    }
  };
  const focused = async (selector) => colobus.input.focus(selector).problem;

  // Asks again with every frame, as long as there is a problem and time.
  const until = async (ask, argument, limitMs) => {
    const deadline = native.now() + limitMs;
    for (;;) {
      const problem = await ask(argument);
      if (problem === undefined || native.now() >= deadline) return problem;
      await colobus.drawn();
    }
  };

  colobus.opening = async ({ fresh, readyWhen, readyMs, focus, focusMs }) => {
    const leftovers = colobus.leftovers.atStart;
    const status = performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0;
    if ((fresh && leftovers) || status >= 400) return { leftovers, status };
    const notReady = readyWhen && (await until(ready, readyWhen, readyMs));
    const notFocused = notReady || !focus ? undefined : await until(focused, focus, focusMs);
    return { leftovers, status, notReady, notFocused };
  };
})(globalThis[Symbol.for("colobus")]);
