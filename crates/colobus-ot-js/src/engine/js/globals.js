// What libraries written for Node or browsers expect to find and the bare engine lacks.
// Math.random is replaced so that a run depends on its seed alone.
(function () {
  globalThis.global = globalThis;
  globalThis.process = { env: {}, argv: [], platform: "quickjs", versions: {} };
  const silent = () => {};
  globalThis.console = { log: silent, info: silent, warn: silent, error: silent, debug: silent, trace: silent, assert: silent };

  let state = 1;
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return (seed) => { state = seed | 0; };
})
