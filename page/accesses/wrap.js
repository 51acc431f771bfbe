// wrap(native, handler): a proxy that takes the place of a function of the browser and prints as that function.
// wrapPart(owner, name, part, handler) puts one in the place of a method (part "value") or accessor ("get", "set").
((colobus) => {
  const { Proxy, WeakMap, apply, construct, defineProperty, descriptor, know, note, noted } = colobus.kept;
  const natives = new WeakMap();

  colobus.wrap = (native, handler) => {
    const wrapped = new Proxy(native, handler);
    note(natives, wrapped, noted(natives, native) ?? native);
    return wrapped;
  };

  colobus.wrapPart = (owner, name, part, handler) => {
    const property = descriptor(owner, name);
    const native = property?.[part];
    if (typeof native !== "function" || !property.configurable) return;
    defineProperty(owner, name, { ...property, [part]: colobus.wrap(native, handler) });
  };

  // Puts a value in the place of another, with the same attributes.
  colobus.replace = (owner, name, value) => defineProperty(owner, name, { ...descriptor(owner, name), value });

  // The function of the browser that a wrapped one stands for.
  colobus.nativeOf = (wrapped) => noted(natives, wrapped) ?? wrapped;

  // Proxies that the page makes: looking into one would run the page's code.
  const native = globalThis.Proxy;
  const remember = (proxy) => {
    know(colobus.log.proxies, proxy);
    return proxy;
  };
  const wrapped = colobus.wrap(native, {
    construct: (target, args, newTarget) => remember(construct(target, args, newTarget === wrapped ? target : newTarget)),
  });
  colobus.replace(globalThis, "Proxy", wrapped);
  colobus.wrapPart(native, "revocable", "value", {
    apply: (target, self, args) => {
      const made = apply(target, self, args);
      remember(made.proxy);
      return made;
    },
  });
})(globalThis[Symbol.for("colobus")]);
