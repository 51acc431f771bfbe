// Finds the operation type among a module's exports and gives it the plain ottypes shape.
(function (exported, wanted) {
  const isObject = (value) => value !== null && (typeof value === "object" || typeof value === "function");
  const has = (value, name) => typeof value[name] === "function";
  const isType = (value) => isObject(value) && has(value, "apply") && has(value, "transform") && typeof value !== "function";
  const isDelta = (value) =>
    typeof value === "function" && isObject(value.prototype) && has(value.prototype, "compose") && has(value.prototype, "transform") && has(value.prototype, "transformPosition");

  // quill-delta exports the class alone; a document is a delta of inserts, and applying is composing.
  function fromDelta(Delta) {
    return {
      name: "rich-text",
      create: () => new Delta(),
      deserialize: (operations) => new Delta(operations),
      serialize: (document) => document.ops,
      apply: (document, operation) => document.compose(new Delta(operation)),
      compose: (first, second) => new Delta(first).compose(new Delta(second)),
      transform: (operation, other, side) => new Delta(other).transform(new Delta(operation), side === "left"),
    };
  }

  // json1's transform refuses conflicts by design; transformNoConflict is the total function it offers for them.
  function fromType(type) {
    const shaped = Object.create(type);
    if (has(type, "transformNoConflict")) {
      shaped.transform = (operation, other, side) => type.transformNoConflict(operation, other, side);
    }
    return shaped;
  }

  const shape = (value) => (isType(value) ? fromType(value) : isDelta(value) ? fromDelta(value) : null);

  // A type, or the type that a module keeps under `type` or `default`.
  function unwrap(value) {
    for (const one of [value, value && value.type, value && value.default, value && value.default && value.default.type]) {
      if (isObject(one) && shape(one)) return shape(one);
    }
    return null;
  }

  const problem = (kind, names) => ({ problem: { kind, names } });
  const names = isObject(exported) ? Object.keys(exported) : [];

  if (wanted) {
    let value = exported;
    for (const part of wanted.split(".")) value = isObject(value) ? value[part] : undefined;
    const type = unwrap(value);
    return type ? { type } : problem("not-a-type", isObject(value) ? ["apply", "transform"].filter((name) => !has(value, name)) : names);
  }
  const whole = unwrap(exported);
  if (whole) return { type: whole };
  const found = names.filter((name) => unwrap(exported[name]));
  if (found.length === 1) return { type: unwrap(exported[found[0]]) };
  if (found.length > 1) return problem("several", found);

  const halves = [exported, exported && exported.type, exported && exported.default].filter(isObject);
  for (const half of halves) {
    if (has(half, "apply") && half !== Function.prototype && typeof half !== "function") return problem("lacks", ["transform"]);
    if (has(half, "transform")) return problem("lacks", ["apply"]);
  }
  return problem("none", names);
})
