// What rewritten code calls, under the name __c$. Names are short because they stand in every line of rewritten code;
// crates/colobus-script/src/accesses says which construct becomes which call. Each hands its value through unchanged.
((colobus) => {
  const { TypeError, apply, descriptor, defineProperty, hasOwn, isKnown } = colobus.kept;
  const { READ, WRITE, UPDATE, WHOLE, UNKNOWN, activation, at, digest, isObject } = colobus.log;
  const { proxies, touchGlobal, touchLibrary, touchOther, touchOwn, touchProperty, touchVariable, touchWhole } = colobus.log;

  const keyIn = (keys) => keys[keys.length - 1];

  // What a pattern takes apart, without running getters: see `spec` in patterns.rs.
  const readParts = (value, parts, site) => {
    if (!isObject(value) || parts === 0) return;
    if (parts === 1) return touchWhole(value, READ, site);
    for (let part = 0; part < parts.length; part += 2) {
      const name = parts[part];
      touchProperty(value, name, READ, site);
      if (parts[part + 1] === 0 || isKnown(proxies, value)) continue;
      const property = descriptor(value, name);
      if (property !== undefined && hasOwn(property, "value")) readParts(property.value, parts[part + 1], site);
    }
  };

  // An object that stands for the reference o[k], in code that is not strict and in code that is.
  const sloppyReference = (object, key) => ({
    get v() { return object[key]; },
    set v(value) { object[key] = value; },
  });
  const strictReference = (object, key) => {
    "use strict";
    return {
      get v() { return object[key]; },
      set v(value) { object[key] = value; },
    };
  };

  const evaluated = (kind) => (evaluate, code, site, around = "") => {
    at(site);
    if (evaluate !== colobus.kept.eval || typeof code !== "string") return code;
    return colobus.accesses.evaluated(kind, code, around);
  };

  const runtime = {
    t: undefined,
    y: WHOLE,
    u: UNKNOWN,
    // Members.
    r(object, key, site) { touchProperty(object, key, READ, site); return object; },
    w(object, key, site, how = WRITE) { touchProperty(object, key, how, site); return object; },
    g(object, keys, site) { const key = keyIn(keys); touchProperty(object, key, READ, site); return object[key]; },
    m(object, keys, site) {
      const key = keyIn(keys);
      touchProperty(object, key, READ, site);
      const method = object[key];
      return {
        c(...args) {
          if (typeof method !== "function") throw new TypeError(`${digest(key)} is not a function`);
          return apply(method, object, args);
        },
      };
    },
    f(object, keys, site, how) {
      const key = keyIn(keys);
      touchProperty(object, key, how, site);
      return sloppyReference(object, key);
    },
    F(object, keys, site, how) {
      const key = keyIn(keys);
      touchProperty(object, key, how, site);
      return strictReference(object, key);
    },
    q(object, key, site) {
      if (site !== undefined) touchProperty(object, key, READ, site);
      runtime.t = object;
      return object === undefined || object === null;
    },
    i(object, site) { at(site); touchWhole(object, READ, site); return object; },
    p(value, parts, site) { at(site); readParts(value, parts, site); return value; },
    o(object, site) { at(site); touchOther(["anything"], UPDATE, site); return object; },
    // Names.
    G(name, site) { at(site); touchGlobal(name, READ, site); },
    W(name, value, site, how = WRITE) { at(site); touchGlobal(name, how, site, value); return value; },
    v(activation, declaration, value, site) {
      at(site);
      touchVariable(activation, declaration, READ, site);
      return value;
    },
    V(activation, declaration, value, site, how = WRITE) {
      at(site);
      touchVariable(activation, declaration, how, site, value);
      return value;
    },
    D(...declared) {
      for (let index = 0; index < declared.length; index += 2) {
        touchGlobal(declared[index], WRITE, declared[index + 1], UNKNOWN);
      }
    },
    n: activation,
    // Libraries.
    L(name, site) { touchLibrary(name, site, globalThis); },
    // Sequences.
    b(logged, value) { return value; },
    z(value) { return value; },
    // Code from text.
    x: evaluated("eval"),
    X: evaluated("script"),
  };
  defineProperty(globalThis, "__c$", { value: runtime });
})(globalThis[Symbol.for("colobus")]);
