// calls: what instrumented code calls for functions, properties and literals with parts.
((colobus) => {
  const { apply, known, pair, expr, constant, isPrimitive } = colobus.symbolic;
  const { k, lose, properties, propertiesOf, isObject, step, operation, compute, models, current, leave, left } = colobus.concolic;
  const isNative = (() => {
    const print = Function.prototype.toString;
    const seen = new WeakMap();
    return (f) => {
      if (!seen.has(f)) seen.set(f, /\{\s*\[native code\]\s*\}\s*$/.test(Reflect.apply(print, f, [])));
      return seen.get(f);
    };
  })();

  // What the function that is called next gets to know of its arguments.
  let handed = null;

  const split = (parts) => {
    const values = [];
    const given = [];
    for (let at = 0; at < parts.length; at += 2) {
      values.push(parts[at]);
      given.push(parts[at + 1]);
    }
    return [values, given];
  };

  const perform = (f, self, givenSelf, parts, site, invoke) => {
    const [values, given] = split(parts);
    const run = current();
    leave(null);
    if (!run) return invoke(values);
    const model = models.get(f);
    const isSymbolic = Boolean(known(givenSelf, self)) || values.some((value, at) => known(given[at], value));
    handed = given;
    const result = invoke(values);
    handed = null;
    if (model || (typeof f === "function" && isNative(f))) {
      let symbolic = null;
      if (model && isSymbolic) symbolic = model([self, expr(self, givenSelf)], values.map((value, at) => [value, expr(value, given[at])]));
      if (isSymbolic && !symbolic && isPrimitive(result) && result !== undefined) lose(site, "the result of a call");
      leave(symbolic ? pair(result, symbolic) : lists(f, self, givenSelf, values, given, result));
    } else if (!known(left(), result)) leave(null);
    return result;
  };

  // Lists that grow and shrink at their end keep their length as a symbolic value; parts of a text are known by its separator.
  const lists = (f, self, givenSelf, values, given, result) => {
    if (Array.isArray(self) && f === Array.prototype.push) {
      const length = properties.get(self)?.get("length");
      values.forEach((value, at) => propertiesOf(self).set(String(result - values.length + at), pair(value, known(given[at], value))));
      const before = length && length.value === result - values.length ? length.expr : null;
      const after = before && pair(result, apply("add", before, constant(values.length)));
      propertiesOf(self).set("length", after);
      return after;
    }
    if (f === String.prototype.split && typeof values[0] === "string" && values[0] !== "" && values.length === 1 && known(givenSelf, self)) {
      const parts = propertiesOf(result);
      result.forEach((part, at) => parts.set(String(at), pair(part, apply({ splitat: [values[0], at] }, givenSelf.expr))));
      parts.set("length", pair(result.length, apply({ splitlength: values[0] }, givenSelf.expr)));
    }
    return null;
  };

  // A name that is an object says what it stands for when it is asked: only the program asks.
  const isName = (name) => !isObject(name);
  const keep = (object, name, given, value) => {
    if (current() && isObject(object) && typeof name !== "symbol" && isName(name)) propertiesOf(object).set(String(name), known(given, value) ? given : null);
  };

  // What is known of a property that was just read.
  const property = (object, givenObject, name, value) => {
    if (!isName(name) || typeof name === "symbol") return null;
    if (isObject(object)) {
      const found = properties.get(object)?.get(String(name));
      if (found && known(found, value)) return found;
      if (name === "valueAsNumber" && object instanceof HTMLInputElement) {
        const text = known(properties.get(object)?.get("value"), object.value);
        return text ? pair(value, apply("conditional", apply("same", text, constant("")), constant(NaN), apply("tonumber", text))) : null;
      }
      return null;
    }
    const text = typeof object === "string" ? known(givenObject, object) : null;
    if (!text) return null;
    if (name === "length") return pair(value, apply("length", text));
    if (typeof name === "number" && typeof value === "string") return pair(value, apply("charat", text, constant(name)));
    return null;
  };
  const get = (object, givenObject, name) => {
    leave(null);
    const value = object[name];
    if (!current()) return value;
    // A getter may have left what it knows.
    if (!known(left(), value)) leave(property(object, givenObject, name, value));
    return value;
  };

  const strictly = (() => {
    "use strict";
    return (object, name, value) => {
      object[name] = value;
    };
  })();
  const loosely = (object, name, value) => {
    object[name] = value;
  };
  const put = (strict, object, name, value, given) => {
    handed = [given];
    (strict ? strictly : loosely)(object, name, value);
    handed = null;
    keep(object, name, given, value);
    leave(given);
    return value;
  };

  Object.assign(k, {
    f: (site) => {
      const run = current();
      if (run && run.handler === null) run.handler = site;
      step();
    },
    // A parameter: what the caller handed over, if it is this value.
    p: (index, value) => (handed && known(handed[index], value) ? handed[index] : null),
    e: () => {
      handed = null;
      leave(null);
    },
    E: (f) => ({ f, self: undefined, given: null }),
    F: (self, given, name) => {
      const f = self[name];
      return { f, self, given, name };
    },
    C: ({ f, self, given, name }, site, ...parts) => {
      if (typeof f !== "function") throw new TypeError(`${name ?? "it"} is not a function`);
      return perform(f, self, given, parts, site, (values) => Reflect.apply(f, self, values));
    },
    N: (f, site, ...parts) => perform(f, undefined, null, parts, site, (values) => new f(...values)),
    m: (object, given, name) => get(object, given, name),
    M: (object, given, name, givenName, site) => {
      if (current() && known(givenName, name)) lose(site, "an index");
      return get(object, given, name);
    },
    W: (strict, object, name, value, given) => put(strict, object, name, value, given),
    r: (object, name) => {
      const value = get(object, null, name);
      return { object, name, value, given: k.t() };
    },
    z: (strict, sign, site, { object, name, value: old, given: before }, value, given) => {
      const result = compute[sign](old, value);
      return put(strict, object, name, result, current() ? pair(result, operation(sign, old, before, value, given, site)) : null);
    },
    I: (strict, prefix, by, { object, name, value: old, given }) => {
      const value = k.i(old, given, by);
      put(strict, object, name, value, k.t());
      return prefix ? value : k.P(old, given);
    },
    O: (names, ...parts) => {
      const object = {};
      names.forEach((name, at) => {
        const [value, given] = [parts[2 * at], parts[2 * at + 1]];
        if (name === "...") {
          Object.assign(object, value);
          const copied = isObject(value) ? properties.get(value) : null;
          if (current() && copied) copied.forEach((known, key) => propertiesOf(object).set(key, known));
        } else {
          object[name] = value;
          if (current()) propertiesOf(object).set(name, known(given, value) ? given : null);
        }
      });
      leave(null);
      return object;
    },
    A: (...parts) => {
      const [values, given] = split(parts);
      if (current()) {
        values.forEach((value, at) => propertiesOf(values).set(String(at), known(given[at], value) ? given[at] : null));
      }
      leave(null);
      return values;
    },
  });
})(globalThis[Symbol.for("colobus")]);
