// collections: maps and sets with keys that are texts, numbers or booleans. What belongs to the state: whether a key is there, the
// value of a key, and how many there are.
((colobus) => {
  const { apply, known, pair, constant, isPrimitive } = colobus.symbolic;
  const { lose, branch, properties, propertiesOf, lazily, hinted } = colobus.concolic;
  const M = Map.prototype;
  const S = Set.prototype;
  const MOST_MADE_UP = 50;

  const is = (object) => object instanceof Map || object instanceof Set;
  const isKey = (key) => ["string", "number", "boolean"].includes(typeof key);
  const label = (key) => JSON.stringify(key);
  const names = new WeakMap();
  // The keys that a collection had when it was listed first.
  const first = new Map();

  const beside = (collection, what) => properties.get(collection)?.get(what) ?? null;
  const keep = (collection, what, given) => propertiesOf(collection).set(what, given);
  const sizeOf = (collection) => known(beside(collection, "size"), collection.size);
  const add = (collection, key, value) => (collection instanceof Map ? collection.set(key, value) : collection.add(key));

  // A larger collection has made-up keys; in a map they have the value of the last one.
  const resize = (collection, size) => {
    const last = collection instanceof Map ? [...collection.values()].at(-1) : undefined;
    for (let count = 1; collection.size < size && count <= MOST_MADE_UP; count++) add(collection, `key ${count}`, last);
    for (const key of [...collection.keys()].reverse()) if (collection.size > size) collection.delete(key);
  };

  // The places of a collection; `walk` goes on with values that are objects.
  const places = (collection, name, walk) => {
    names.set(collection, name);
    const keys = [...collection.keys()].filter(isKey);
    if (!first.has(name)) first.set(name, new Set(keys));
    const all = new Set(keys);
    for (const text of hinted(`${name}.has(`, ")")) all.add(JSON.parse(text));
    const place = (what, called, get, set) => ({ name: `${name}.${called}`, get, set, take: () => beside(collection, what), keep: (given) => keep(collection, what, given) });
    const found = [place("size", "size", () => collection.size, (size) => resize(collection, size))];
    for (const key of all) {
      const set = (isThere) => (isThere ? collection.has(key) || add(collection, key, [...collection.values()].at(-1) ?? 1) : collection.delete(key));
      found.push(place(`has ${label(key)}`, `has(${label(key)})`, () => collection.has(key), set));
      if (!(collection instanceof Map) || !collection.has(key)) continue;
      const value = collection.get(key);
      if (isPrimitive(value)) found.push(place(`get ${label(key)}`, `get(${label(key)})`, () => collection.get(key), (value) => collection.set(key, value)));
      else if (typeof value === "object") walk(value, `${name}.get(${label(key)})`);
    }
    return found;
  };

  // Whether a key is there, as an expression; nothing if that does not depend on the state.
  const presence = (collection, key) => {
    const what = `has ${label(key)}`;
    const all = properties.get(collection);
    if (all?.has(what)) return known(all.get(what), collection.has(key));
    if (!names.has(collection) || all?.has("cleared")) return null;
    const name = names.get(collection);
    const given = lazily(`${name}.has(${label(key)})`, collection.has(key), ["boolean"], first.get(name)?.has(key) ?? false);
    keep(collection, what, given);
    return given.expr;
  };
  const moved = (size, by) => (size && by !== 0 ? apply(by > 0 ? "add" : "subtract", size, constant(1)) : size);
  // A key comes or goes: whether it was there before decides what becomes of the size.
  const changed = (collection, key, by, then) => {
    const [isThere, size, count] = [presence(collection, key), sizeOf(collection), collection.size];
    const [ifThere, otherwise] = by > 0 ? [size, moved(size, 1)] : [moved(size, -1), size];
    return (result) => {
      keep(collection, `has ${label(key)}`, null);
      const expr = isThere && ifThere && otherwise ? apply("conditional", isThere, ifThere, otherwise) : moved(size, collection.size - count);
      keep(collection, "size", pair(collection.size, expr));
      return then(result, isThere);
    };
  };

  const asked = (collection, key) => {
    const isThere = presence(collection, key);
    return (result) => pair(result, isThere);
  };
  const got = (collection, key, site) => {
    const isThere = presence(collection, key);
    if (isThere) branch(isThere, collection.has(key), site);
    const given = beside(collection, `get ${label(key)}`);
    return (result) => (known(given, result) ? given : null);
  };
  const put = (collection, key, [, value], [, given]) =>
    changed(collection, key, 1, () => (keep(collection, `get ${label(key)}`, known(given, value) ? given : null), null));
  const removed = (collection, key) =>
    changed(collection, key, -1, (result, isThere) => (keep(collection, `get ${label(key)}`, null), pair(result, isThere)));
  const emptied = (collection) => () => {
    for (const what of properties.get(collection)?.keys() ?? []) keep(collection, what, null);
    keep(collection, "cleared", null);
    return null;
  };

  const before = (f, self, values, given, site) => {
    if (!is(self)) return null;
    if (f === M.clear || f === S.clear) return { values, after: emptied(self) };
    const [key] = values;
    if (![M.has, S.has, M.get, M.set, S.add, M.delete, S.delete].includes(f) || !isKey(key)) return null;
    // Which key it is may depend on the state: it is taken for the one that it is now.
    if (known(given[0], key)) lose(site, "a key");
    if (f === M.has || f === S.has) return { values, after: asked(self, key) };
    if (f === M.get) return { values, after: got(self, key, site) };
    return { values, after: f === M.delete || f === S.delete ? removed(self, key) : put(self, key, values, given) };
  };

  colobus.concolic.collections = { is, places, before };
})(globalThis[Symbol.for("colobus")]);
