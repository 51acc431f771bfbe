// The language's own functions, kept before the page can change them. The files of accesses/ use nothing else.
if (!globalThis[Symbol.for("colobus")]) Object.defineProperty(globalThis, Symbol.for("colobus"), { value: {} });
((colobus) => {
  // of(method)(self, …args) calls a method whatever has become of it, and of `call`, since.
  const { call } = Function.prototype;
  const of = call.bind(call.bind, call);
  colobus.kept = {
    Error,
    Map,
    Proxy,
    Set,
    TypeError,
    WeakMap,
    WeakSet,
    apply: Reflect.apply,
    charCodeAt: of(String.prototype.charCodeAt),
    collect: of(Set.prototype.add),
    construct: Reflect.construct,
    defineProperty: Reflect.defineProperty,
    descriptor: Reflect.getOwnPropertyDescriptor,
    eval: globalThis.eval,
    exec: of(RegExp.prototype.exec),
    has: of(Set.prototype.has),
    hasOwn: Object.hasOwn ?? ((object, key) => of(Object.prototype.hasOwnProperty)(object, key)),
    indexOf: of(String.prototype.indexOf),
    isArray: Array.isArray,
    isKnown: of(WeakSet.prototype.has),
    isPrototypeOf: of(Object.prototype.isPrototypeOf),
    keys: Reflect.ownKeys,
    know: of(WeakSet.prototype.add),
    lookUp: of(Map.prototype.get),
    note: of(WeakMap.prototype.set),
    noted: of(WeakMap.prototype.get),
    prototypeOf: Reflect.getPrototypeOf,
    quote: JSON.stringify,
    slice: of(String.prototype.slice),
    store: of(Map.prototype.set),
    text: String,
    toLowerCase: of(String.prototype.toLowerCase),
    // Halves of pairs of code units are no text for the driver.
    wellFormed: of(String.prototype.toWellFormed),
  };
})(globalThis[Symbol.for("colobus")]);
