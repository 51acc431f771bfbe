// storage: what a page keeps in localStorage and sessionStorage, as state. A text that is JSON is known by its parts as well, from
// `JSON.stringify` through the store to `JSON.parse`.
((colobus) => {
  const { apply, known, pair, expr, constant, isPrimitive } = colobus.symbolic;
  const { properties, propertiesOf, isObject, current, lazily, hinted } = colobus.concolic;
  const { parse, stringify } = JSON;
  const DEEPEST = 5;

  // A page may have no storage.
  const area = (name) => {
    try {
      return globalThis[name] ?? null;
    } catch {
      return null;
    }
  };
  const areas = ["localStorage", "sessionStorage"].map((name) => [name, area(name)]).filter(([, area]) => area);
  const owner = globalThis.Storage?.prototype ?? {};
  const { getItem, setItem, removeItem, clear } = owner;
  const read = (area, key) => Reflect.apply(getItem, area, [key]);
  const nameOf = (area, key) => `${areas.find(([, other]) => other === area)?.[0]}[${stringify(key)}]`;
  const keysOf = (area) => Array.from({ length: area.length }, (_, at) => area.key(at));

  // What is known of the texts in the stores, and which were asked for or written.
  const kept = new Map();
  const asked = new Map();
  const ask = (area, key) => {
    if (areas.some(([, other]) => other === area)) asked.set(nameOf(area, key), [area, key]);
  };
  // What was there when the first handler ran.
  let first = null;
  const begin = () => {
    first ??= new Map(areas.flatMap(([, area]) => keysOf(area).map((key) => [nameOf(area, key), read(area, key)])));
  };

  // What is known of an object's parts, for another object with the same parts.
  const copy = (from, to, depth = 0) => {
    if (depth > DEEPEST || !isObject(from) || !isObject(to)) return false;
    let isKnown = false;
    for (const [key, given] of properties.get(from) ?? []) {
      if (given && known(given, to[key])) {
        propertiesOf(to).set(key, given);
        isKnown = true;
      }
    }
    for (const key of Object.keys(to)) {
      const part = Object.getOwnPropertyDescriptor(from, key)?.value;
      if (isObject(part) && copy(part, to[key], depth + 1)) isKnown = true;
    }
    return isKnown;
  };
  const parsed = (text) => {
    try {
      const value = Reflect.apply(parse, JSON, [text]);
      return isObject(value) ? value : null;
    } catch {
      return null;
    }
  };
  // The parts of a stored text, as an object that the page does not have.
  const mirrors = new Map();
  const mirror = (name, text) => {
    if (mirrors.get(name)?.text !== text) mirrors.set(name, { text, object: text === null ? null : parsed(text) });
    return mirrors.get(name).object;
  };

  const places = (walk) => {
    const all = new Map(asked);
    for (const [called, area] of areas) for (const key of [...keysOf(area), ...hinted(`${called}[`, '"]').map((start) => parse(`${start}"`))]) all.set(nameOf(area, key), [area, key]);
    const found = [];
    for (const [name, [area, key]] of all) {
      // A text that has parts keeps them, unless other parts are wanted: that it is there is all that most code asks of the whole.
      const isKept = (value) => value !== null && parsed(value) === null && parsed(read(area, key)) !== null;
      const set = (value) => (value === null ? Reflect.apply(removeItem, area, [key]) : Reflect.apply(setItem, area, [key, String(value)]));
      found.push({ name, kinds: ["null", "text"], get: () => read(area, key), set: (value) => isKept(value) || set(value), take: () => kept.get(name), keep: (given) => kept.set(name, given && { ...given, mirror: mirror(name, given.value) }) });
      const object = mirror(name, read(area, key));
      if (!object) continue;
      const parts = [];
      walk(object, name, parts);
      const changed = (part) => part.set && ((value) => {
        part.set(value);
        set(stringify(object));
        mirrors.set(name, { text: read(area, key), object });
      });
      found.push(...parts.map((part) => ({ ...part, set: changed(part) })));
    }
    return found;
  };

  // Reading and writing, by functions and by properties.
  const taken = (area, key) => {
    ask(area, key);
    const name = nameOf(area, key);
    const text = read(area, key);
    if (!kept.has(name)) {
      begin();
      kept.set(name, { ...lazily(name, text, ["null", "text"], first.get(name) ?? null), mirror: mirror(name, text) });
    }
    return known(kept.get(name), text) ? kept.get(name) : null;
  };
  const put = (area, key, value, given) => {
    ask(area, key);
    const symbolic = known(given, value);
    const name = nameOf(area, key);
    const text = read(area, key);
    kept.set(name, symbolic ? { ...pair(text, typeof value === "string" ? symbolic : apply("totext", symbolic)), mirror: given.mirror } : null);
    if (symbolic && given.mirror) mirrors.set(name, { text, object: given.mirror });
  };
  const isStore = (object) => areas.some(([, area]) => area === object);

  const stringified = ([value], given) => (text) => {
    if (isPrimitive(value)) return typeof value === "number" || typeof value === "boolean" ? pair(text, known(given[0], value) && apply("totext", given[0].expr)) : null;
    const object = typeof text === "string" ? parsed(text) : null;
    return object && copy(value, object) ? { ...pair(text, constant(text)), mirror: object } : null;
  };
  const readBack = ([text], given) => (result) => {
    const symbolic = known(given[0], text);
    if (!symbolic) return null;
    if (typeof result === "number") return pair(result, apply("tonumber", symbolic));
    if (typeof result === "boolean") return pair(result, apply("same", symbolic, constant("true")));
    if (given[0].mirror) copy(given[0].mirror, result);
    return null;
  };

  const before = (f, self, values, given) => {
    if (f === stringify && (values.length === 1 || !values[1])) return { values, after: stringified(values, given) };
    if (f === parse && values.length === 1) return { values, after: readBack(values, given) };
    if (!isStore(self)) return null;
    const key = String(values[0]);
    if (f === getItem) {
      isReadWhileOpening ||= current().isOpening;
      return { values, after: () => taken(self, key) };
    }
    if (f === setItem) return { values, after: () => (put(self, key, values[1], given[1]), null) };
    if (f === removeItem) return { values, after: () => (put(self, key, null, null), null) };
    if (f === clear) return { values, after: () => (asked.forEach(([area], name) => area === self && kept.set(name, null)), null) };
    return null;
  };
  // Whether the code that runs when the page opens reads what is stored: then opening it again may do something else.
  let isReadWhileOpening = false;
  const noteKey = (area, key) => {
    ask(area, String(key));
    isReadWhileOpening = true;
  };
  const note = (f, self, values) => {
    if (f === getItem && isStore(self)) noteKey(self, values[0]);
  };

  colobus.concolic.storage = { before, note, noteKey, places, begin, isRead: () => isReadWhileOpening, isStore, taken, put, copy };
})(globalThis[Symbol.for("colobus")]);
