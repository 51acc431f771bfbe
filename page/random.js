// random: Math.random, crypto.getRandomValues and crypto.randomUUID that decide ties alike in every execution and repeat
// nothing. The first draws of a load begin with digits that belong to the client: who has the greater id stays the same. All
// other digits are the browser's own chance, so that no execution, worker, load or frame makes the ids of another.
((colobus) => {
  if (!colobus.settings.random) return;
  const { seed, client } = colobus.settings;
  // A frame of another origin cannot be told from its neighbours: it keeps the browser's own numbers.
  const inside = globalThis.parent !== undefined && globalThis.parent !== globalThis;
  if (inside && !colobus.above?.random) return;
  const place = inside ? colobus.above.random.nameOfFrame() : colobus.settings.place;
  // The driver counts its own loads; a page may load itself once more.
  const reloaded = globalThis.performance?.getEntriesByType?.("navigation")[0]?.type === "reload";
  const load = colobus.settings.load + (reloaded ? 1 : 0);

  // So many draws of each kind are the client's. An id that is put together digit by digit takes more of them.
  const OWN_DRAWS = 4;

  // 32 bits that depend on every character.
  const hash = (text) => {
    let word = 0x811c9dc5;
    for (const character of text) word = Math.imul(word ^ character.codePointAt(0), 0x01000193);
    word = Math.imul(word ^ (word >>> 16), 0x7feb352d);
    word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
    return (word ^ (word >>> 16)) >>> 0;
  };

  // One hexadecimal digit for each client and load, all of them different: those of two clients always differ.
  const digitOf = (name) => {
    const order = Array.from({ length: 16 }, (_, digit) => digit);
    order.sort((a, b) => hash(`${name}/${a}`) - hash(`${name}/${b}`));
    return order[(client + 5 * load) % 16];
  };

  // own(kind)() is undefined once the client's draws are used up; before, `digit` decides ties and `word` goes on from there.
  const own = (kind) => {
    let draws = 0;
    return () => {
      if (draws === OWN_DRAWS) return undefined;
      const name = `${seed}/${place}/${kind}/${++draws}`;
      return { digit: digitOf(name), word: hash(`${name}/${client}/${load}`) };
    };
  };

  // The browser's own chance, fetched for many draws at once.
  const getRandomValues = Crypto.prototype.getRandomValues;
  const pool = new Uint32Array(256);
  let left = 0;
  const chance = () => {
    if (left === 0) {
      Reflect.apply(getRandomValues, globalThis.crypto, [pool]);
      left = pool.length;
    }
    return pool[--left];
  };

  const ownNumber = own("number");
  colobus.wrapNative(Math, "random", {
    apply() {
      const mine = ownNumber();
      let high = chance() >>> 5;
      // The first 16 of 27 bits: enough for a choice among few and for a shade of a colour.
      if (mine) high = (mine.digit << 23) | ((mine.word & 0xfff) << 11) | (high & 0x7ff);
      return (high * 0x4000000 + (chance() >>> 6)) / 0x20000000000000;
    },
  });

  const ownBytes = own("bytes");
  const lead = (view) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    const mine = bytes.length > 0 ? ownBytes() : undefined;
    if (!mine) return;
    const { digit } = mine;
    const width = view.BYTES_PER_ELEMENT;
    if (width === 1) {
      bytes[0] = (digit << 4) | digit;
      // Some put ids together from the last byte to the first.
      if (bytes.length >= 8) bytes[bytes.length - 1] = bytes[0];
    } else {
      // The first and the last digit of a number; a browser's numbers begin with their last byte.
      bytes[width - 1] = (digit << 4) | (bytes[width - 1] & 0x0f);
      bytes[0] = (bytes[0] & 0xf0) | digit;
    }
  };
  // The browser goes first: it knows what to refuse.
  colobus.wrapNative(Crypto.prototype, "getRandomValues", {
    apply(target, self, args) {
      const view = Reflect.apply(target, self, args);
      lead(view);
      return view;
    },
  });

  const ownUuid = own("uuid");
  colobus.wrapNative(Crypto.prototype, "randomUUID", {
    apply(target, self, args) {
      const uuid = Reflect.apply(target, self, args);
      const mine = ownUuid();
      return mine ? mine.digit.toString(16) + uuid.slice(1) : uuid;
    },
  });

  let frames = 0;
  colobus.random = { nameOfFrame: () => `${place}/frame${++frames}` };
})(globalThis[Symbol.for("colobus")]);
