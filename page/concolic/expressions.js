// expressions: symbolic values as the JSON that `colobus-reach` reads, and the pairs of a concrete value with its symbolic one.
((colobus) => {
  const LARGEST = 300;
  const wellFormed = (text) => text.isWellFormed?.() ?? true;

  // A primitive value as it stands in JSON; undefined for anything else.
  const written = (value) => {
    if (value === undefined) return "undefined";
    if (value === null) return "null";
    switch (typeof value) {
      case "boolean":
        return { boolean: value };
      case "number":
        return { number: Object.is(value, -0) ? "-0" : String(value) };
      case "string":
        return wellFormed(value) ? { text: value } : { units: Array.from({ length: value.length }, (_, at) => value.charCodeAt(at)) };
      default:
        return undefined;
    }
  };
  const read = (json) => {
    if (json === "undefined") return undefined;
    if (json === "null") return null;
    if ("boolean" in json) return json.boolean;
    if ("number" in json) return Number(json.number);
    return "text" in json ? json.text : String.fromCharCode(...json.units);
  };
  const kind = (value) => (value === null ? "null" : { undefined: "undefined", boolean: "boolean", number: "number", string: "text" }[typeof value]);

  const constant = (value) => ({ json: { constant: written(value) }, size: 1 });
  const variable = (name, kinds, source) => ({ json: { variable: { name, kinds, source } }, size: 1 });
  const isPrimitive = (value) => written(value) !== undefined;

  // An operator on expressions; nothing if it would become too large to be of use.
  const apply = (operator, ...operands) => {
    const size = operands.reduce((sum, operand) => sum + operand.size, 1);
    return size > LARGEST ? null : { json: { apply: [operator, operands.map((operand) => operand.json)] }, size };
  };

  // What is known of a value: `pair` was made for another value if the two differ.
  const known = (pair, value) => (pair && Object.is(pair.value, value) ? pair.expr : null);
  const pair = (value, expr) => (expr ? { value, expr } : null);
  // What is known of a value, or the value itself; nothing if it is an object.
  const expr = (value, given) => known(given, value) ?? (isPrimitive(value) ? constant(value) : null);

  colobus.symbolic = { written, read, kind, constant, variable, apply, known, pair, expr, isPrimitive };
})(globalThis[Symbol.for("colobus")]);
