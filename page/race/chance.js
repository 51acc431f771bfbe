// chance: random numbers that depend on the seed, the event that draws them and how many it drew before, so that turning two
// events round does not change the numbers of either.
((colobus) => {
  const { state } = colobus.held ?? {};
  if (!state) return;
  const { imul } = Math;

  // 32 bits that depend on every character.
  const word = () => {
    const text = `${colobus.settings.seed}/${state.event}/${++state.draws}`;
    let bits = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) bits = imul(bits ^ text.charCodeAt(at), 0x01000193);
    bits = imul(bits ^ (bits >>> 16), 0x7feb352d);
    bits = imul(bits ^ (bits >>> 15), 0x846ca68b);
    return (bits ^ (bits >>> 16)) >>> 0;
  };

  colobus.wrapNative(Math, "random", {
    apply: () => ((word() >>> 5) * 0x4000000 + (word() >>> 6)) / 0x20000000000000,
  });
  const fill = (view) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at++) bytes[at] = word() & 0xff;
  };
  // The browser goes first: it knows what to refuse.
  colobus.wrapNative(Crypto.prototype, "getRandomValues", {
    apply(target, self, args) {
      const view = Reflect.apply(target, self, args);
      fill(view);
      return view;
    },
  });
  colobus.wrapNative(Crypto.prototype, "randomUUID", {
    apply() {
      const hex = (digits) => {
        let text = "";
        while (text.length < digits) text += (word() & 15).toString(16);
        return text;
      };
      return `${hex(8)}-${hex(4)}-4${hex(3)}-${"89ab"[word() & 3]}${hex(3)}-${hex(12)}`;
    },
  });
})(globalThis[Symbol.for("colobus")]);
