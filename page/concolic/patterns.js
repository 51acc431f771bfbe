// patterns: what is known of the parts of values that patterns take apart, of elements that loops go over, and of optional chains.
// The page reads each part itself; here is only looked up what stands beside it.
((colobus) => {
  const { apply, known, constant } = colobus.symbolic;
  const { k, lose, branch, current, leave, properties, propertiesOf, isObject, property, perform, put, get, own, hooks } = colobus.concolic;

  // Values that are being taken apart, by the place of the pattern; a function that calls itself has several at one.
  const sources = new Map();
  // What is known of default values that were used, by their place.
  const defaults = new Map();

  const copyRest = (from, first, to) => {
    const all = isObject(from) ? properties.get(from) : null;
    if (!all || !isObject(to)) return;
    if (first >= 0) {
      for (let at = 0; at < to.length; at++) propertiesOf(to).set(String(at), all.get(String(first + at)) ?? null);
    } else {
      for (const name of Object.keys(to)) propertiesOf(to).set(name, all.get(name) ?? null);
    }
  };
  // Whether an argument or a part is missing decides whether its default value is used.
  const missing = (given, isMissing, site) => {
    if (given) branch(apply("same", given.expr, constant(undefined)), isMissing, site);
  };
  const defaultOf = (site, value) => {
    if (site < 0 || !defaults.has(site)) return undefined;
    const used = defaults.get(site);
    defaults.delete(site);
    return known(used, value) ? used : null;
  };

  // The way through an optional chain. Once there is no value, nothing is evaluated any more.
  class Chain {
    constructor(value, given) {
      Object.assign(this, { value, given, self: undefined, selfGiven: null, isOver: false });
    }
    o(site) {
      if (this.isOver) return this;
      const symbolic = known(this.given, this.value);
      const isNothing = this.value === null || this.value === undefined;
      if (symbolic) branch(apply("equal", symbolic, constant(null)), isNothing, site);
      if (isNothing) this.isOver = true;
      return this;
    }
    to(name) {
      [this.self, this.selfGiven, this.name] = [this.value, this.given, name];
      this.value = get(this.self, this.selfGiven, name);
      this.given = k.t();
      return this;
    }
    m(name) {
      return this.isOver ? this : this.to(name);
    }
    k(site, key) {
      if (this.isOver) return this;
      const [name, given] = key();
      if (known(given, name)) lose(site, "an index");
      return this.to(name);
    }
    c(site, parts) {
      if (this.isOver) return this;
      const { value: f, self, selfGiven, name } = this;
      const all = parts();
      if (typeof f !== "function") throw new TypeError(`${name ?? "it"} is not a function`);
      this.value = perform(f, self, selfGiven, all, site, (values) => Reflect.apply(f, self, values));
      [this.given, this.self, this.selfGiven] = [k.t(), undefined, null];
      return this;
    }
    v() {
      leave(this.isOver ? null : this.given);
      return this.isOver ? undefined : this.value;
    }
  }

  // Every object has itself as this property, so that a pattern among parameters can name what it takes apart.
  const itself = Symbol("itself");
  Object.defineProperty(Object.prototype, itself, {
    configurable: true,
    get() {
      "use strict";
      return this;
    },
  });

  Object.assign(k, {
    o: itself,
    l: (site, what) => lose(site, what),
    ch: (value, given) => new Chain(value, given),
    ds: (site, name, value, given) => {
      hooks.name(value, name);
      if (!current()) return value;
      if (!sources.has(site)) sources.set(site, []);
      sources.get(site).push({ value, given });
      return value;
    },
    dt: (site, isLast) => {
      const all = sources.get(site);
      return (isLast ? all?.pop() : all?.[all.length - 1]) ?? null;
    },
    dl: (source, path, value, site) => {
      if (!current()) return null;
      const used = defaultOf(site, value);
      if (path.length === 0) return source && known(source.given, value) ? source.given : null;
      let object = source?.value;
      for (const step of path.slice(0, -1)) object = typeof step === "string" || typeof step === "number" ? own(object, step) : undefined;
      const last = path[path.length - 1];
      if (Array.isArray(last)) {
        copyRest(object, last[0], value);
        return null;
      }
      if (last === null) return used ?? null;
      if (used !== undefined) {
        missing(isObject(object) ? properties.get(object)?.get(String(last)) : null, true, site);
        return used;
      }
      const found = property(object, path.length === 1 ? source?.given : null, last, value);
      if (site >= 0) missing(found, false, site);
      return found;
    },
    da: (value) => {
      leave(null);
      return value;
    },
    j: (site, value, given) => {
      if (current()) defaults.set(site, given);
      return value;
    },
    ft: (list, site) => {
      const run = current();
      if (run && Array.isArray(list) && properties.get(list)?.get("length")) lose(site, "the length of a list");
      return { list, at: -1 };
    },
    // What is taken apart: the element of this round of a loop, or an object.
    fe: ({ list, at }) => (Array.isArray(list) ? { value: own(list, at), given: properties.get(list)?.get(String(at)) } : null),
    ob: (value) => ({ value, given: null }),
    L: (strict, sign, site, { object, name, value, given }, compute) => {
      k[sign === "??" ? "q" : "a"](value, given, site);
      const isKept = sign === "||" ? value : sign === "&&" ? !value : value !== null && value !== undefined;
      if (isKept) return value;
      const next = compute();
      return put(strict, object, name, next, k.t());
    },
  });
  Object.assign(colobus.concolic, { missing, defaultOf });
})(globalThis[Symbol.for("colobus")]);
