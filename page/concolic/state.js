// state: the variables, properties and fields that outlive a handler, each with a name that is the same in every load of the page;
// and the run of one handler with all of them symbolic. Called by `colobus reach`.
((colobus) => {
  const { written, read, kind, variable, constant, known, isPrimitive, apply } = colobus.symbolic;
  const { k, globals, properties, propertiesOf, follow, hooks, collections, elements, storage, answers, hint } = colobus.concolic;
  const { locator } = elements;
  const { setTimeout } = globalThis;
  const DEEPEST = 5;
  const MOST = 1500;

  // Variables ------------------------------------------------------------------------------------------------------------
  const roots = [];
  const names = new Map();
  const given = new Set(Object.getOwnPropertyNames(globalThis));
  // The first variable of a name has it for itself; others are told apart by where they are declared and how often that ran.
  k.R = (name, site, get, set, take, keep) => {
    const sites = names.get(name) ?? new Map();
    names.set(name, sites);
    const count = (sites.get(site) ?? 0) + 1;
    sites.set(site, count);
    const place = [...sites.keys()].indexOf(site) === 0 ? name : `${name}@${site}`;
    const isGlobal = take === null && keep === null;
    roots.push({
      name: count === 1 ? place : `${place}~${count}`,
      isRepeated: count > 1,
      get,
      set,
      take: take ?? (() => (isGlobal ? globals.get(name) : null)),
      keep: keep ?? ((pair) => globals.set(name, pair)),
    });
  };
  const undeclared = () =>
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => !given.has(name) && !names.has(name))
      .map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
      .filter(([name, property]) => property && "value" in property && typeof property.value !== "function" && name !== "__k$" && !/^\d+$/.test(name))
      .map(([name, property]) => ({
        name,
        get: () => globalThis[name],
        set: property.writable ? (value) => (globalThis[name] = value) : null,
        take: () => globals.get(name),
        keep: (pair) => globals.set(name, pair),
      }));

  // Places: everything primitive that can be reached from them -----------------------------------------------------------
  const isWalked = (object) => {
    if (Array.isArray(object)) return true;
    return Object.prototype.toString.call(object) === "[object Object]" && !(typeof Node !== "undefined" && object instanceof Node);
  };
  const walk = (object, name, depth, seen, found) => {
    if (depth > DEEPEST || seen.has(object) || found.length > MOST) return;
    seen.add(object);
    for (const key of Object.keys(object)) {
      const property = Object.getOwnPropertyDescriptor(object, key);
      if (!property || !("value" in property)) continue;
      const inner = /^[A-Za-z_$][\w$]*$/.test(key) ? `${name}.${key}` : `${name}[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`;
      if (isPrimitive(property.value)) found.push(slot(object, key, inner, property.writable));
      else visit(property.value, inner, depth + 1, seen, found);
    }
    if (Array.isArray(object)) found.push({ ...slot(object, "length", `${name}.length`, true), set: (length) => resize(object, length) });
  };
  // What is no primitive value.
  const visit = (value, name, depth, seen, found) => {
    if (typeof value !== "object" || value === null) return;
    if (isWalked(value)) walk(value, name, depth, seen, found);
    else if (collections.is(value) && !seen.has(value) && depth <= DEEPEST) {
      seen.add(value);
      found.push(...collections.places(value, name, (inner, called) => visit(inner, called, depth + 1, seen, found)));
    }
  };
  const slot = (object, key, name, writable) => ({
    name,
    get: () => object[key],
    set: writable ? (value) => (object[key] = value) : null,
    take: () => properties.get(object)?.get(key),
    keep: (pair) => propertiesOf(object).set(key, pair),
  });
  // A solver does not know that lists have no other lengths.
  const isLength = (length) => Number.isInteger(length) && length >= 0;
  // A longer list repeats its last element.
  const resize = (list, length) => {
    const last = list[list.length - 1];
    while (list.length < length && list.length < MOST) list.push(last !== null && typeof last === "object" ? structuredClone(last) : last);
    if (list.length > length) list.length = length;
  };

  const fields = () => {
    if (typeof document === "undefined") return [];
    const found = [];
    for (const element of document.querySelectorAll("input, textarea, select")) {
      if (found.length > MOST || element.type === "file") continue;
      const key = element.type === "checkbox" || element.type === "radio" ? "checked" : "value";
      found.push({ ...slot(element, key, `${locator(element)}.${key}`, true), element, key });
    }
    return found;
  };
  const places = () => {
    const found = [];
    const seen = new Set();
    // What a component computes anew with every rendering is no state of its own.
    const kept = hooks.isUsed() ? roots.filter((root) => !root.isRepeated) : roots;
    for (const root of [...hooks.places(), ...kept, ...undeclared()]) {
      let value;
      try {
        value = root.get();
      } catch {
        continue; // Not declared yet.
      }
      // A constant cannot be another one.
      if (isPrimitive(value)) (root.set || root.isState) && found.push(root);
      else visit(value, root.name, 1, seen, found);
      if (found.length > MOST) break;
    }
    const stored = storage.places((object, name, parts) => walk(object, name, 1, seen, parts));
    const answered = answers.places((object, name, parts) => walk(object, name, 1, seen, parts));
    return [...found, ...fields(), ...elements.places(), ...stored, ...answered];
  };

  const snapshot = () => Object.fromEntries(places().map((place) => [place.name, written(place.get())]));

  // Runs -----------------------------------------------------------------------------------------------------------------
  const kindsOf = (kinds, place, value) => [...new Set([...(kinds[place.name] ?? []), ...(place.kinds ?? []), kind(value)])].sort();

  const newRecord = (before = {}) => ({ before, entry: {}, initial: {}, inputs: new Map(), branches: [], decided: new Set(), log: new Map(), lost: new Map(), steps: 0, stopped: null, handler: null });

  // Lets everything run that a framework has put off.
  const idle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  };

  // A list is at least as long as the elements that are wanted ask for.
  const longest = (name, before) => {
    const start = `${name.slice(0, -"length".length - 1)}[`;
    const indices = Object.keys(before).filter((other) => other.startsWith(start)).map((other) => Number.parseInt(other.slice(start.length), 10));
    return Math.max(0, ...indices.filter((index) => index >= 0).map((index) => index + 1));
  };
  // What an empty list would hold is not known.
  const lengthFor = (place, value, before) => {
    const valid = isLength(value) || place.get() === 0 ? value : 1;
    return Math.max(valid, longest(place.name, before) || valid);
  };
  // Gives places the values that are wanted; the names of those that could not have them, and why. A list that is longer then has
  // more places: they come in a second round.
  const setAll = (list, before) => {
    const refused = [];
    const done = new Set();
    const wanted = Object.keys(before).length;
    for (let round = 0; round < 2 && done.size < wanted; round++) {
      for (const place of list()) {
        if (!(place.name in before) || done.has(place.name)) continue;
        done.add(place.name);
        try {
          if (!place.set) throw new TypeError("it is constant");
          const value = read(before[place.name]);
          place.set(place.name.endsWith(".length") ? lengthFor(place, value, before) : value);
        } catch (error) {
          refused.push(`${place.name} cannot be set: ${error.message}`);
        }
      }
    }
    return refused;
  };
  // From now on every place is symbolic, and what runs is recorded. Returns how that ends.
  const begin = (record, all, kinds, refused) => {
    const { entry } = record;
    for (const place of all) {
      const value = place.get();
      entry[place.name] = written(value);
      place.keep({ value, expr: variable(place.name, kindsOf(kinds, place, value), "state") });
    }
    const thrown = [];
    const listen = (event) => thrown.push(String(event.message ?? event.reason ?? "an exception"));
    globalThis.addEventListener?.("error", listen);
    globalThis.addEventListener?.("unhandledrejection", listen);
    follow(record);
    return (failed) => {
      follow(null);
      globalThis.removeEventListener?.("error", listen);
      globalThis.removeEventListener?.("unhandledrejection", listen);
      const writes = {};
      for (const place of places()) {
        const value = place.get();
        const symbolic = known(place.take(), value);
        const same = symbolic?.json.variable;
        if (same && same.name === place.name && same.source === "state") continue;
        writes[place.name] = { expr: (symbolic ?? constant(value)).json, value: written(value) };
      }
      return {
        entry,
        initial: record.initial,
        branches: record.branches,
        writes,
        log: [...record.log],
        lost: [...record.lost.values()],
        handler: record.handler,
        numbers: fields().filter(({ element }) => element.type === "number").map(({ name }) => name),
        aborted: record.stopped ?? failed ?? thrown[0] ?? null,
        refused,
      };
    };
  };

  // Sets state, makes it symbolic, and performs: `perform` does what the user does. `before` holds values by name, for the state
  // and for the parameter of the event. What a framework shows is rendered again first, so that it is known what it depends on.
  const record = async (perform, { before = {}, kinds = {} }) => {
    hint(Object.keys(kinds));
    storage.begin();
    const refused = setAll(places, before);
    if (hooks.isUsed()) await idle();
    const record = newRecord(before);
    const end = begin(record, places(), kinds, refused);
    if (hooks.isUsed()) {
      hooks.renderAgain();
      await idle();
      record.log.clear();
      record.handler = null;
    }
    let failed = null;
    try {
      perform();
    } catch (error) {
      failed = String(error?.message ?? error);
    }
    if (hooks.isUsed()) await idle();
    return { record, finish: () => end(failed) };
  };

  // Opening a document again: of the last one there is only what it has stored.
  const kept = () => storage.places((object, name, parts) => walk(object, name, 1, new Set(), parts));
  const store = (before, kinds) => {
    hint(Object.keys(kinds));
    setAll(kept, before);
  };
  const open = () => {
    storage.begin();
    const end = begin({ ...newRecord(), isOpening: true }, kept(), {}, []);
    return () => end(null);
  };

  // What a field holds after its user has changed it.
  const parameter = (place, value, name, source) => place.keep({ value, expr: variable(name, [kind(value)], source) });
  const flipped = (place) => {
    const before = place.take();
    return before && apply("not", before.expr);
  };

  Object.assign(colobus.concolic, { open, store, idle, later: (callback, delay) => setTimeout(callback, delay), places, snapshot, run: record, record: newRecord, fields, parameter, flipped, locator });
})(globalThis[Symbol.for("colobus")]);
