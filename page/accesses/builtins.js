// What the language's own functions read and write, which rewriting does not show: for each a line below says so. A
// function of these objects that has no line reads and writes its receiver and its arguments.
((colobus) => {
  const { Map, Set } = globalThis;
  const { WeakSet, apply, construct, descriptor, hasOwn, isKnown, keys, know, note } = colobus.kept;
  const { ADD, READ, UPDATE, WRITE, builtin, isObject, proxies } = colobus.log;
  const { touchEntry, touchOwn, touchProperty, touchWhole } = colobus.log;
  const { site } = colobus.accesses;

  const nothing = () => {};
  const readSelf = (self) => touchWhole(self, READ);
  const changeSelf = (self) => touchWhole(self, UPDATE);
  const readFirst = (self, args) => touchWhole(args[0], READ);
  const changeFirst = (self, args) => touchWhole(args[0], UPDATE);
  const readSelfAndAll = (self, args) => {
    touchWhole(self, READ);
    for (let at = 0; at < args.length; at++) touchWhole(args[at], READ);
  };
  const changeAll = (self, args) => {
    touchWhole(self, UPDATE);
    for (let at = 0; at < args.length; at++) touchWhole(args[at], UPDATE);
  };
  const property = (how) => (self, args) => touchProperty(args[0], args[1], how, site());
  const ownProperty = (how) => (self, args) => touchProperty(self, args[0], how, site());
  const entry = (how) => (self, args) => isObject(self) && touchEntry(self, args[0], how);

  // Everything that can be reached without running code.
  const readDeep = (self, args) => {
    const seen = new WeakSet();
    const read = (value, depth) => {
      if (!isObject(value) || isKnown(proxies, value) || isKnown(seen, value) || depth > 50) return;
      know(seen, value);
      touchWhole(value, READ);
      const names = keys(value);
      for (let at = 0; at < names.length; at++) {
        const part = descriptor(value, names[at]);
        if (part !== undefined && hasOwn(part, "value")) read(part.value, depth + 1);
      }
    };
    read(args[0], 0);
  };

  const assign = (self, args) => {
    for (let source = 1; source < args.length; source++) {
      const from = args[source];
      if (!isObject(from)) continue;
      touchWhole(from, READ);
      if (!isObject(args[0])) continue;
      if (isKnown(proxies, from)) {
        touchWhole(args[0], WRITE);
        continue;
      }
      const names = keys(from);
      for (let at = 0; at < names.length; at++) touchOwn(args[0], names[at], WRITE, site());
    }
  };

  const words = (line) => line.split(" ");
  const table = (lines) => {
    const effects = new Map();
    for (const [line, effect] of lines) for (const word of words(line)) effects.set(word, effect);
    return effects;
  };

  const listReads = "at entries every filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys "
    + "lastIndexOf map reduce reduceRight slice some toLocaleString toReversed toSorted toSpliced toString with";
  const listChanges = "copyWithin fill pop push reverse shift sort splice unshift";
  // `values` of a list is what `for … of` calls, which engines do fast only if it is their own; loops are rewritten.
  const list = table([[listReads, readSelf], [listChanges, changeSelf], ["concat", readSelfAndAll], ["values", nothing]]);
  const bytes = table([[`${listReads} subarray`, readSelf], [`${listChanges} set`, changeAll], ["values", nothing]]);

  const tables = [
    [Array.prototype, list],
    [Array, table([["from fromAsync", readFirst], ["isArray of", nothing]])],
    [Object.getPrototypeOf(Int8Array.prototype), bytes],
    [
      Object,
      table([
        ["assign", assign],
        ["keys values entries getOwnPropertyNames getOwnPropertySymbols getOwnPropertyDescriptors", readFirst],
        ["fromEntries groupBy isFrozen isSealed isExtensible", readFirst],
        ["create", (self, args) => touchWhole(args[1], READ)],
        ["defineProperty", property(WRITE)],
        ["defineProperties freeze seal preventExtensions setPrototypeOf", changeFirst],
        ["getOwnPropertyDescriptor hasOwn", property(READ)],
        ["is getPrototypeOf", nothing],
      ]),
    ],
    [
      Object.prototype,
      table([
        ["hasOwnProperty propertyIsEnumerable __lookupGetter__ __lookupSetter__", ownProperty(READ)],
        ["__defineGetter__ __defineSetter__", ownProperty(WRITE)],
        ["isPrototypeOf toLocaleString toString valueOf", nothing],
      ]),
    ],
    [
      Reflect,
      table([
        ["get has getOwnPropertyDescriptor", property(READ)],
        ["set deleteProperty defineProperty", property(WRITE)],
        ["ownKeys isExtensible", readFirst],
        ["preventExtensions setPrototypeOf", changeFirst],
        ["apply construct getPrototypeOf", nothing],
      ]),
    ],
    [JSON, table([["stringify", readDeep], ["parse isRawJSON rawJSON", nothing]])],
    [
      Map.prototype,
      table([
        ["get has", entry(READ)],
        ["set", entry(WRITE)],
        ["delete", entry(UPDATE)],
        ["clear", changeSelf],
        ["entries forEach keys values", readSelf],
      ]),
    ],
    [
      Set.prototype,
      table([
        ["has", entry(READ)],
        ["add", entry(ADD)],
        ["delete", entry(UPDATE)],
        ["clear", changeSelf],
        ["entries forEach keys values", readSelf],
        ["union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom", readSelfAndAll],
      ]),
    ],
    [WeakMap.prototype, table([["get has", entry(READ)], ["set", entry(WRITE)], ["delete", entry(UPDATE)]])],
    [globalThis.WeakSet.prototype, table([["has", entry(READ)], ["add", entry(ADD)], ["delete", entry(UPDATE)]])],
    [Object.getPrototypeOf((function* () {})()).__proto__, table([["next return throw", changeSelf]])],
    [DataView.prototype, new Map()],
  ];
  for (const name of keys(Date.prototype)) {
    if (typeof name === "string" && name.startsWith("set")) tables.push([Date.prototype, new Map([[name, changeSelf]]), true]);
  }

  // One function may have two names, and keeps being one.
  const wrapped = new Map();
  const wrapMethods = (owner, effects, onlyListed) => {
    for (const name of keys(owner)) {
      const native = descriptor(owner, name).value;
      if (typeof native !== "function" || name === "constructor") continue;
      if (typeof name === "symbol" && !wrapped.has(native)) continue;
      const effect = effects.get(name) ?? (onlyListed ? nothing : changeAll);
      if (effect === nothing) continue;
      if (!wrapped.has(native)) {
        const logged = (target, self, args) => {
          effect(self, args);
          return apply(target, self, args);
        };
        wrapped.set(native, colobus.wrap(native, { apply: logged }));
      }
      colobus.replace(owner, name, wrapped.get(native));
    }
  };

  // The names that the browser's objects come with, before any of them is replaced.
  for (const name of keys(globalThis)) {
    const property = descriptor(globalThis, name);
    const value = property && hasOwn(property, "value") ? property.value : undefined;
    for (const owner of [value, typeof value === "function" ? value.prototype : undefined]) {
      if (!isObject(owner) || owner === globalThis) continue;
      note(builtin, owner, new globalThis.Set(keys(owner)));
    }
  }
  for (const [owner] of tables) note(builtin, owner, new globalThis.Set(keys(owner)));

  for (const [owner, effects, onlyListed] of tables) wrapMethods(owner, effects, onlyListed);
  for (const { prototype } of [Map, Set]) {
    colobus.wrapPart(prototype, "size", "get", { apply: (get, self, args) => (touchWhole(self, READ), apply(get, self, args)) });
  }
  for (const name of ["Map", "Set", "WeakMap", "WeakSet"]) {
    const native = globalThis[name];
    const constructor = colobus.wrap(native, {
      construct: (target, args, newTarget) => {
        touchWhole(args[0], READ);
        return construct(target, args, newTarget === constructor ? target : newTarget);
      },
    });
    colobus.replace(globalThis, name, constructor);
    colobus.replace(native.prototype, "constructor", constructor);
  }
  if (globalThis.structuredClone) {
    colobus.wrapPart(globalThis, "structuredClone", "value", {
      apply: (target, self, args) => (readDeep(self, args), apply(target, self, args)),
    });
  }
  // Putting all this in place touched a lot.
  colobus.accesses.take();
})(globalThis[Symbol.for("colobus")]);
