// random: Math.random, crypto.getRandomValues and crypto.randomUUID from a seed. Every client, every load of its page and
// every frame and worker in it has a stream of its own, so that no two of them ever draw the same; the same one draws the same in
// every execution.
((colobus) => {
  if (!colobus.settings.random) return;
  // A frame that belongs to somebody else cannot be told from its neighbours: it keeps the browser's own numbers.
  const inside = globalThis.parent !== undefined && globalThis.parent !== globalThis;
  if (inside && !colobus.above?.random) return;
  const name = inside ? colobus.above.random.nameOfFrame() : colobus.settings.stream;

  // Four words of state that depend on every character.
  const scatter = (text) => {
    const words = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667];
    for (const character of text) {
      for (let index = 0; index < 4; index++) {
        words[index] = Math.imul(words[index] ^ (character.codePointAt(0) + index), 0x01000193);
        words[index] ^= words[(index + 1) % 4] >>> 13;
      }
    }
    return words;
  };

  // Small fast counting generator: 32 bits each time, with a period of at least 2^32.
  const stream = (text) => {
    let [a, b, c, counter] = scatter(text);
    const next = () => {
      const drawn = (a + b + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = ((c << 21) | (c >>> 11)) + drawn | 0;
      return drawn >>> 0;
    };
    for (let round = 0; round < 20; round++) next();
    return next;
  };

  // Two streams: a page that draws a colour per frame must not shift the names that it gives.
  const numbers = stream(`${name}/numbers`);
  const bytes = stream(`${name}/bytes`);

  colobus.wrapNative(Math, "random", {
    apply: () => ((numbers() >>> 5) * 0x4000000 + (numbers() >>> 6)) / 0x20000000000000,
  });

  const fill = (view) => {
    const target = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index < target.length; index++) target[index] = bytes() >>> 24;
    return view;
  };
  // The browser goes first: it knows what to refuse.
  colobus.wrapNative(Crypto.prototype, "getRandomValues", {
    apply: (target, self, args) => fill(Reflect.apply(target, self, args)),
  });
  colobus.wrapNative(Crypto.prototype, "randomUUID", {
    apply(target, self, args) {
      Reflect.apply(target, self, args);
      const drawn = fill(new Uint8Array(16));
      drawn[6] = (drawn[6] & 0x0f) | 0x40;
      drawn[8] = (drawn[8] & 0x3f) | 0x80;
      const digits = Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
  });

  let frames = 0;
  colobus.random = { nameOfFrame: () => `${name}/frame${++frames}` };
})(globalThis[Symbol.for("colobus")]);
