// calls: what instrumented code calls for functions, properties and literals with parts.
((colobus) => {
  const { apply, known, pair, expr, constant, isPrimitive, variable, read, written } = colobus.symbolic;
  const { k, lose, own, properties, propertiesOf, isObject, step, operation, compute, models, inputs, branch, lists, captures, collections, elements, storage, hooks, timers, answers, proxies, current, leave, left } = colobus.concolic;
  const isNative = (() => {
    const print = Function.prototype.toString;
    const seen = new WeakMap();
    return (f) => {
      if (!seen.has(f)) seen.set(f, /\{\s*\[native code\]\s*\}\s*$/.test(Reflect.apply(print, f, [])));
      return seen.get(f);
    };
  })();

  // What the function that is called next gets to know of its arguments, and the arguments themselves.
  let handed = null;
  const hand = (given, values, invoke) => {
    const before = handed;
    handed = { given, values };
    try {
      return invoke();
    } finally {
      handed = before;
    }
  };

  const SPREAD = {};
  const split = (parts) => {
    const values = [];
    const given = [];
    for (let at = 0; at < parts.length; at += 2) {
      if (parts[at + 1] === SPREAD) {
        const all = properties.get(parts[at]);
        parts[at].forEach((value, index) => {
          values.push(value);
          given.push(all?.get(String(index)) ?? null);
        });
      } else {
        values.push(parts[at]);
        given.push(parts[at + 1]);
      }
    }
    return [values, given];
  };

  const perform = (f, self, givenSelf, parts, site, invoke) => {
    const [values, given] = split(parts);
    leave(null);
    const postponed = timers.before(f, values, site) ?? answers.before(f, self, values, given, site);
    if (postponed) return postponed.result;
    if (!current()) {
      storage.note(f, self, values);
      const call = hooks.before(f, self, values, given);
      const result = invoke(call?.values ?? values);
      call?.after(result);
      return result;
    }
    if (inputs.has(f)) return input(inputs.get(f), site, () => invoke(values));
    const model = models.get(f);
    const isSymbolic = Boolean(known(givenSelf, self)) || values.some((value, at) => known(given[at], value));
    const call = lists.before(f, self, values, given, site, hand) ?? captures.before(f, self, givenSelf, values, given, site) ?? followed(f, self, values, given, site) ?? hooks.before(f, self, values, given, hand);
    const result = hand(given, values, () => invoke(call?.values ?? values));
    if (call) {
      leave(call.after(result));
    } else if (model || (typeof f === "function" && isNative(f))) {
      let symbolic = null;
      if (model && isSymbolic) symbolic = model([self, expr(self, givenSelf)], values.map((value, at) => [value, expr(value, given[at])]));
      const parts = symbolic ? null : parted(f, self, givenSelf, values, result);
      if (isSymbolic && !symbolic) lost(f, self, result, site);
      leave(symbolic ? pair(result, symbolic) : parts);
    } else if (!known(left(), result)) leave(null);
    return result;
  };

  // Says what a function of the browser makes of symbolic values without a model of it. Objects are not named: most keep what they are
  // given and are asked for it later. Those that a text is taken apart into are.
  const { exec } = RegExp.prototype;
  const { match, matchAll, split: splitText } = String.prototype;
  const lost = (f, self, result, site) => {
    if (f === exec || f === match || f === matchAll) lose(site, "what a regular expression captures");
    else if (f === splitText && !properties.has(result)) lose(site, "the parts of a text");
    else if (isPrimitive(result) && result !== undefined) lose(site, "the result of a call");
  };

  // Functions that read and write state which is not in variables and properties.
  const followed = (f, self, values, given, site) => collections.before(f, self, values, given, site) ?? elements.before(f, self, values, given) ?? storage.before(f, self, values, given);

  // A value that no event can choose is a variable that no event writes. A run can be given another one.
  const input = ({ name: what, least, below }, site, compute) => {
    const run = current();
    const count = (run.inputs.get(site) ?? 0) + 1;
    run.inputs.set(site, count);
    const name = `${what}@${site}${count > 1 ? `~${count}` : ""}`;
    const value = name in run.before ? read(run.before[name]) : compute();
    run.entry[name] = written(value);
    const symbolic = variable(name, ["number"], "state");
    branch(apply("atleast", symbolic, constant(least)), value >= least, site);
    branch(apply("less", symbolic, constant(below)), value < below, site);
    leave(pair(value, symbolic));
    return value;
  };

  // Parts of a text are known by its separator.
  const parted = (f, self, givenSelf, values, result) => {
    if (f === String.prototype.split && typeof values[0] === "string" && values[0] !== "" && values.length === 1 && known(givenSelf, self)) {
      const parts = propertiesOf(result);
      // A part that is not there is known, too.
      for (let at = 0; at < result.length + 3; at++) parts.set(String(at), pair(result[at], apply({ splitat: [values[0], at] }, givenSelf.expr)));
      parts.set("length", pair(result.length, apply({ splitlength: values[0] }, givenSelf.expr)));
    }
    return null;
  };

  // A name that is an object says what it stands for when it is asked: only the program asks.
  const isName = (name) => !isObject(name);
  const keep = (object, name, given, value) => {
    if (!current() || !isObject(object) || typeof name === "symbol" || !isName(name)) return;
    const fits = known(given, value) ? given : null;
    if (storage.isStore(object)) storage.put(object, String(name), value, fits);
    else propertiesOf(object).set(elements.nameOf(object, String(name)), elements.written(object, name, fits, value));
  };

  // What is known of a property that was just read.
  const property = (object, givenObject, name, value) => {
    if (!isName(name) || typeof name === "symbol") return null;
    if (isObject(object)) {
      const found = properties.get(object)?.get(elements.nameOf(object, String(name)));
      if (found && known(found, value)) return found;
      if (storage.isStore(object) && typeof value !== "function" && name !== "length") return storage.taken(object, String(name));
      // React has an event of its own for each of the browser's.
      const native = ["key", "keyCode", "which"].includes(name) ? own(object, "nativeEvent") : null;
      if (isObject(native)) return property(native, null, name, value);
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
  // A property whose name depends on state: one of those that a plain object or a list has, or undefined.
  const MOST_NAMES = 24;
  const selected = (object, name, index) => {
    const isList = Array.isArray(object);
    if (proxies.has(object) || !isObject(object) || (!isList && Object.getPrototypeOf(object) !== Object.prototype)) return null;
    // A list has numbers for names, other objects have texts; both have names that all objects have.
    if (typeof name !== (isList ? "number" : "string") || (!isList && name in Object.prototype)) return null;
    const names = isList ? [...object.keys()] : Object.keys(object);
    const parts = names.map((key) => Object.getOwnPropertyDescriptor(object, key));
    if (names.length > MOST_NAMES || !parts.every((part) => part && "value" in part && isPrimitive(part.value))) return null;
    const all = properties.get(object);
    return names.reduceRight((otherwise, key, at) => {
      const value = expr(parts[at].value, all?.get(String(key)));
      return otherwise && value && apply("conditional", apply("same", index, constant(key)), value, otherwise);
    }, constant(undefined));
  };
  const get = (object, givenObject, name) => {
    leave(null);
    const value = object[name];
    if (!current()) {
      if (storage.isStore(object) && typeof value !== "function" && name !== "length") storage.noteKey(object, name);
      return value;
    }
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
    hand([given], [value], () => (strict ? strictly : loosely)(object, name, value));
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
    // A parameter: what the caller handed over, if it is this value, or what is known of its default value.
    p: (index, value, site) => {
      const given = handed?.given[index];
      const { defaultOf, missing } = colobus.concolic;
      const used = current() ? defaultOf(site, value) : undefined;
      if (site >= 0 && given) missing(given, used !== undefined, site);
      return used !== undefined ? used : given && known(given, value) ? given : null;
    },
    pr: (first, rest) => {
      if (handed && current()) rest.forEach((value, at) => propertiesOf(rest).set(String(at), handed.given[first + at] ?? null));
      return null;
    },
    hv: (index) => (handed ? { value: handed.values[index], given: handed.given[index] } : null),
    e: () => {
      handed = null;
      leave(null);
    },
    SP: SPREAD,
    sp: (list) => {
      const all = [...list];
      const known = current() && Array.isArray(list) ? properties.get(list) : null;
      if (known) all.forEach((_, at) => propertiesOf(all).set(String(at), known.get(String(at)) ?? null));
      if (known?.get("length")) propertiesOf(all).set("length", known.get("length"));
      return all;
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
    N: (f, site, ...parts) => {
      const made = perform(f, undefined, null, parts, site, (values) => new f(...values));
      if (f === Proxy) proxies.add(made);
      return made;
    },
    m: (object, given, name) => get(object, given, name),
    M: (object, given, name, givenName, site) => {
      const index = current() ? known(givenName, name) : null;
      const value = get(object, given, name);
      if (!index) return value;
      const chosen = selected(object, name, index);
      if (chosen) leave(pair(value, chosen));
      else lose(site, "an index");
      return value;
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
    // A computed name, as a text or a symbol, before its value is computed.
    pk: (name) => {
      leave(null);
      return typeof name === "symbol" ? name : `${name}`;
    },
    O: (names, ...parts) => {
      const object = {};
      let computed;
      names.forEach((name, at) => {
        const [value, given] = [parts[2 * at], parts[2 * at + 1]];
        if (name === "...") {
          Object.assign(object, value);
          const copied = isObject(value) ? properties.get(value) : null;
          if (current() && copied) copied.forEach((known, key) => propertiesOf(object).set(key, known));
        } else if (name === "[") {
          computed = value;
        } else if (name === "]") {
          Object.defineProperty(object, computed, { value, writable: true, enumerable: true, configurable: true });
          if (current() && typeof computed === "string") propertiesOf(object).set(computed, known(given, value) ? given : null);
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
        const spread = parts.filter((_, at) => parts[at + 1] === SPREAD && at % 2 === 0);
        propertiesOf(values).set("length", lists.joined(values.length, spread));
      }
      leave(null);
      return values;
    },
  });
  Object.assign(colobus.concolic, { property, perform, put, get });
})(globalThis[Symbol.for("colobus")]);
