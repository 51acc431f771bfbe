// The one place where values cross between the checker and a type: as JSON text with sorted keys, so that equal
// values are equal texts. Results are marked "=" (a value) or "!" (why it is not one).
(function (adapt) {
  let type = null;
  let description = null;

  const UNDEFINED = '{"$undefined":true}';
  const DEEPEST = 200;

  class NotJson extends Error {}

  function canonical(value, depth) {
    if (depth > DEEPEST) throw new NotJson("a value nested too deeply, or containing itself");
    switch (typeof value) {
      case "string":
      case "boolean":
        return JSON.stringify(value);
      case "number":
        if (!Number.isFinite(value)) throw new NotJson(`the number ${value}`);
        return JSON.stringify(value);
      case "object":
        break;
      default:
        throw new NotJson(value === undefined ? "undefined" : `a ${typeof value}`);
    }
    if (value === null) return "null";
    if (typeof value.toJSON === "function") return canonical(value.toJSON(), depth + 1);
    if (Array.isArray(value)) {
      let text = "[";
      for (let index = 0; index < value.length; index++) {
        if (index > 0) text += ",";
        text += canonical(value[index], depth + 1);
      }
      return text + "]";
    }
    const tag = Object.prototype.toString.call(value);
    if (tag !== "[object Object]") throw new NotJson(`a value of the class ${tag.slice(8, -1)}`);
    let text = "{";
    for (const key of Object.keys(value).sort()) {
      if (value[key] === undefined) continue;
      if (text.length > 1) text += ",";
      text += JSON.stringify(key) + ":" + canonical(value[key], depth + 1);
    }
    return text + "}";
  }

  function encode(value) {
    try {
      return "=" + (value === undefined ? UNDEFINED : canonical(value, 0));
    } catch (error) {
      if (error instanceof NotJson) return "!" + error.message;
      throw error;
    }
  }

  // The documents a description lists; an operation list may hold `undefined` just as a document may be it.
  function encodeAll(values) {
    if (!Array.isArray(values)) return "!something other than an array";
    const texts = [];
    for (const value of values) {
      const text = encode(value);
      if (text[0] === "!") return text;
      texts.push(text.slice(1));
    }
    return "=" + JSON.stringify(texts);
  }

  function decode(text) {
    return text === UNDEFINED ? undefined : JSON.parse(text);
  }

  const open = (text) => (type.deserialize ? type.deserialize(decode(text)) : decode(text));
  const save = (snapshot) => encode(type.serialize ? type.serialize(snapshot) : snapshot);

  function facts() {
    const has = (name) => typeof type[name] === "function";
    return "=" + JSON.stringify({
      name: typeof type.name === "string" ? type.name : null,
      tp2: type.tp2 === true,
      compose: has("compose"),
      normalize: has("normalize"),
      generate: has("generateRandomOp"),
      create: has("create"),
    });
  }

  return {
    choose(exported, wanted) {
      const found = adapt(exported, wanted);
      if (found.problem) return "!" + JSON.stringify(found.problem);
      type = found.type;
      return facts();
    },

    describe(exported) {
      const described = exported && exported.default && !exported.operations && !exported.kinds ? exported.default : exported;
      const has = (name) => typeof described[name] === "function";
      if (described === null || typeof described !== "object") return "!it exports no object";
      const kinds = described.kinds && typeof described.kinds === "object" ? Object.keys(described.kinds) : [];
      if (kinds.length === 0 && !has("operations") && !has("generate")) {
        return "!it exports none of kinds, operations and generate";
      }
      description = described;
      return "=" + JSON.stringify({
        kinds,
        enumerates: kinds.length > 0 || has("operations"),
        generates: has("generate"),
        validates: has("valid"),
      });
    },

    documents(size) {
      const listed = description?.documents;
      if (typeof listed === "function") return encodeAll(listed(Number(size)));
      if (listed !== undefined) return encodeAll(listed);
      if (typeof type.create !== "function") return "!no documents: neither the description nor the type's create() offers one";
      const first = save(type.create());
      return first[0] === "!" ? first : "=" + JSON.stringify([first.slice(1)]);
    },

    operations(document, excluded) {
      if (!description.kinds) return encodeAll(description.operations(decode(document)));
      const skip = excluded.split(",");
      const all = [];
      for (const [kind, list] of Object.entries(description.kinds)) {
        if (!skip.includes(kind)) all.push(...list(decode(document)));
      }
      return encodeAll(all);
    },

    generate(document) {
      if (description && typeof description.generate === "function") return encode(description.generate(decode(document)));
      return encode(type.generateRandomOp(open(document))[0]);
    },

    valid: (document, operation) => (description.valid(decode(document), decode(operation)) ? "=true" : "=false"),

    apply: (document, operation) => save(type.apply(open(document), decode(operation))),
    transform: (operation, other, side) => encode(type.transform(decode(operation), decode(other), side)),
    compose: (first, second) => encode(type.compose(decode(first), decode(second))),
    normalize: (operation) => encode(type.normalize(decode(operation))),
  };
})
