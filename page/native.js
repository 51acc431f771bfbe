// native: what the browser offers, kept before anything is put in its place. Colobus itself uses nothing else.
((colobus) => {
  colobus.native = {
    Date,
    // Called by this name, code runs as if it stood in a script of its own.
    evaluate: globalThis.eval,
    fromJson: JSON.parse,
    toJson: JSON.stringify,
    clearTimeout: globalThis.clearTimeout.bind(globalThis),
    now: performance.now.bind(performance),
    print: Function.prototype.toString,
    requestAnimationFrame: globalThis.requestAnimationFrame?.bind(globalThis),
    post: MessagePort.prototype.postMessage,
    setTimeout: globalThis.setTimeout.bind(globalThis),
  };

  // What Colobus has put into the window around this one, if that may be looked into.
  colobus.above = (() => {
    try {
      return globalThis.parent === globalThis ? undefined : globalThis.parent?.[Symbol.for("colobus")];
    } catch {
      return undefined;
    }
  })();
})(globalThis[Symbol.for("colobus")]);
