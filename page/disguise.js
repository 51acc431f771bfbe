// disguise(owner, name, handler): puts a proxy in the place of a function of the browser. Name, length, statics, prototype
// and subclassing stay what they were; so does what the function prints as.
((colobus) => {
  const natives = new WeakMap();

  colobus.disguise = (owner, name, handler) => {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    if (!property || typeof property.value !== "function" || !property.configurable) return undefined;
    const native = property.value;
    const disguised = new Proxy(native, handler);
    natives.set(disguised, native);
    Object.defineProperty(owner, name, { ...property, value: disguised });
    return native;
  };

  colobus.disguise(Function.prototype, "toString", {
    apply: (toString, self, args) => Reflect.apply(toString, natives.get(self) ?? self, args),
  });
})(globalThis[Symbol.for("colobus")]);
