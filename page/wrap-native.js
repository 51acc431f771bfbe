// wrapNative(owner, name, handler): puts a proxy in the place of a function of the browser. Name, length, statics, prototype
// and subclassing stay what they were; so does what the function prints as. wrapNativeGetter does the same for a property
// that is read through a function.
((colobus) => {
  const natives = new WeakMap();

  const put = (part) => (holder, name, handler) => {
    // In workers, what belongs to the global object is often a property of one of its prototypes.
    let owner = holder;
    while (owner && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
    const property = owner && Object.getOwnPropertyDescriptor(owner, name);
    const native = property?.[part];
    if (typeof native !== "function" || !property.configurable) return;
    const wrapped = new Proxy(native, handler);
    // What is wrapped already still prints as the browser's own.
    natives.set(wrapped, natives.get(native) ?? native);
    Object.defineProperty(owner, name, { ...property, [part]: wrapped });
  };
  colobus.wrapNative = put("value");
  colobus.wrapNativeGetter = put("get");

  colobus.wrapNative(Function.prototype, "toString", {
    apply: (toString, self, args) => Reflect.apply(toString, natives.get(self) ?? self, args),
  });
})(globalThis[Symbol.for("colobus")]);
