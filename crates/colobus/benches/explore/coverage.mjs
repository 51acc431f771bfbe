// Coverage: the code that ran in pages, whatever tool acts there, as the browser counts it. It is asked again and again, because a page
// that is left, or closed, takes its counts with it.
export class Coverage {
  scripts = new Map();

  // Begins on a page; `send` sends a command of the DevTools protocol to it, `on` hears its events.
  async watch(name, send, on) {
    on("Debugger.scriptParsed", ({ scriptId, url }) => {
      if (url.startsWith("http")) this.scripts.set(`${name} ${scriptId}`, { scriptId, url, send });
    });
    await send("Profiler.enable");
    await send("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await send("Debugger.enable");
    await send("Debugger.setSkipAllPauses", { skip: true });
    return () => this.take(name, send);
  }

  // What ran since the last time, added to what ran before.
  async take(name, send) {
    for (const { scriptId, functions } of (await send("Profiler.takePreciseCoverage")).result) {
      const script = this.scripts.get(`${name} ${scriptId}`);
      if (!script) continue;
      script.text ??= (await send("Debugger.getScriptSource", { scriptId })).scriptSource;
      script.ran ??= new Uint8Array(script.text.length);
      const now = new Uint8Array(script.text.length);
      const ranges = functions.flatMap(({ ranges }) => ranges);
      ranges.sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
      for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      now.forEach((ran, at) => (script.ran[at] |= ran));
    }
  }

  // Every script once, however often it was loaded: one function around everything, with the ranges that did not run.
  told() {
    const merged = new Map();
    for (const { url, text, ran } of this.scripts.values()) {
      if (!text) continue;
      const known = merged.get(url + text) ?? { url, text, ran: new Uint8Array(text.length) };
      ran.forEach((value, at) => (known.ran[at] |= value));
      merged.set(url + text, known);
    }
    return [...merged.values()].map(({ url, text, ran }) => {
      const ranges = [{ startOffset: 0, endOffset: text.length, count: 1 }];
      for (let at = 0; at < ran.length; at++) {
        if (ran[at]) continue;
        const startOffset = at;
        while (at < ran.length && !ran[at]) at++;
        ranges.push({ startOffset, endOffset: at, count: 0 });
      }
      return { url, text, functions: [{ ranges }] };
    });
  }
}

export const limited = (work, milliseconds = 3000) => Promise.race([work.catch(() => {}), new Promise((resolve) => setTimeout(resolve, milliseconds))]);
