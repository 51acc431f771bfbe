// Places of the document: what a change of it writes. A MutationObserver sees every change, also those of the parser;
// dom.js empties it after each call that changes something, so that the change has a site.
//   ["node", node, "children" | "text" | "tree" | "@attribute" | "class:name" | a property]
//   ["query", "id" | "class" | "tag" | "name", value]  ["query", "@attribute"]  ["query", "any"]  what a query may find
((colobus) => {
  if (!globalThis.document || !globalThis.MutationObserver) return;
  const { apply, descriptor, indexOf, isKnown, isPrototypeOf, slice } = colobus.kept;
  const { ADD, WRITE, numberOf, proxies, touchOther } = colobus.log;
  const { site } = colobus.accesses;

  // More elements than this in one change are not looked at one by one.
  const MOST = 5000;

  const getter = (prototype, name) => {
    const { get } = descriptor(prototype, name);
    return (self) => apply(get, self, []);
  };
  const method = (prototype, name) => {
    const { value } = descriptor(prototype, name);
    return (self, ...args) => apply(value, self, args);
  };
  const nodeType = getter(Node.prototype, "nodeType");
  const parentNode = getter(Node.prototype, "parentNode");
  const localName = getter(Element.prototype, "localName");
  const getAttribute = method(Element.prototype, "getAttribute");
  const attributeNames = method(Element.prototype, "getAttributeNames");
  const elementsIn = method(Element.prototype, "getElementsByTagName");
  const recordPart = (name) => getter(MutationRecord.prototype, name);
  const [recordType, recordTarget, recordAdded, recordRemoved, recordAttribute, recordOld] =
    ["type", "target", "addedNodes", "removedNodes", "attributeName", "oldValue"].map(recordPart);

  const isElement = (node) => nodeType(node) === 1;

  const touchNode = (node, what, how, at = site()) => touchOther(["node", numberOf(node), what], how, at);

  // Reading a tree depends on every change inside it; two such changes commute.
  const touchTree = (node, how, at) => {
    for (let around = node; around !== null; around = parentNode(around)) touchNode(around, "tree", how, at);
  };
  const touchQuery = (family, value, at) =>
    touchOther(value === undefined ? ["query", family] : ["query", family, value], ADD, at);

  const wordsOf = (value) => {
    const words = [];
    let word = "";
    for (let at = 0; at <= (value ?? "").length; at++) {
      const character = at < value?.length ? value[at] : " ";
      if (indexOf(" \t\n\f\r", character) < 0) word += character;
      else if (word !== "") {
        words[words.length] = word;
        word = "";
      }
    }
    return words;
  };

  // How the current call changes things, if it says so: a class that is only added commutes with others.
  let manner = WRITE;

  const touchAttribute = (element, name, before, after, at) => {
    touchNode(element, `@${name}`, manner, at);
    touchQuery(`@${name}`, undefined, at);
    if (slice(name, 0, 2) === "on") touchOther(["handler", numberOf(element), slice(name, 2)], WRITE, at);
    if (slice(name, 0, 5) === "data-") touchNode(element, "@dataset", WRITE, at);
    if (name === "id" || name === "name") {
      if (before) touchQuery(name, before, at);
      if (after) touchQuery(name, after, at);
    }
    if (name !== "class") return;
    const [old, fresh] = [wordsOf(before), wordsOf(after)];
    const missing = (words, word) => {
      for (let at = 0; at < words.length; at++) if (words[at] === word) return false;
      return true;
    };
    const changed = (words, others) => {
      for (let index = 0; index < words.length; index++) {
        if (!missing(others, words[index])) continue;
        touchNode(element, `class:${words[index]}`, manner, at);
        touchQuery("class", words[index], at);
      }
    };
    changed(old, fresh);
    changed(fresh, old);
  };

  // What queries may find or miss now that an element came or went.
  const touchPresence = (element, at) => {
    touchQuery("tag", localName(element), at);
    const names = attributeNames(element);
    for (let index = 0; index < names.length; index++) {
      const name = names[index];
      const value = getAttribute(element, name);
      touchQuery(`@${name}`, undefined, at);
      if (name === "id" || name === "name") touchQuery(name, value, at);
      if (slice(name, 0, 2) === "on") touchOther(["handler", numberOf(element), slice(name, 2)], WRITE, at);
      if (name !== "class") continue;
      const words = wordsOf(value);
      for (let word = 0; word < words.length; word++) touchQuery("class", words[word], at);
    }
  };

  const touchSubtrees = (nodes, at) => {
    for (let index = 0; index < nodes.length; index++) {
      if (!isElement(nodes[index])) continue;
      touchPresence(nodes[index], at);
      const inside = elementsIn(nodes[index], "*");
      if (inside.length > MOST) touchOther(["anything"], WRITE, at);
      else for (let each = 0; each < inside.length; each++) touchPresence(inside[each], at);
    }
  };

  const note = (records, at) => {
    for (let index = 0; index < records.length; index++) {
      const record = records[index];
      const target = recordTarget(record);
      const type = recordType(record);
      touchTree(target, ADD, at);
      if (type === "attributes") {
        const name = recordAttribute(record);
        touchAttribute(target, name, recordOld(record), getAttribute(target, name), at);
      } else if (type === "characterData") {
        touchNode(target, "text", WRITE, at);
      } else {
        touchNode(target, "children", WRITE, at);
        touchQuery("any", undefined, at);
        touchSubtrees(recordAdded(record), at);
        const removed = recordRemoved(record);
        touchSubtrees(removed, at);
        for (let node = 0; node < removed.length; node++) touchNode(removed[node], "tree", WRITE, at);
      }
    }
  };

  const observer = new MutationObserver((records) => note(records, null));
  const takeRecords = method(MutationObserver.prototype, "takeRecords");
  const observe = method(MutationObserver.prototype, "observe");
  const everything = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };
  const watch = (root) => observe(observer, root, everything);
  watch(document);

  colobus.accesses.drain = (at = null) => note(takeRecords(observer), at);
  const anElement = Element.prototype;
  const aText = CharacterData.prototype;
  const previousElement = getter(Element.prototype, "previousElementSibling");
  // The way to a node of the document from the nearest id above it; undefined if it is in no document.
  const wayTo = (node) => {
    let way = "";
    for (let at = node; at !== null; at = parentNode(at)) {
      if (at === document) return way;
      if (!isElement(at)) continue;
      const id = getAttribute(at, "id");
      if (id && at !== node) return `#${id}${way}`;
      let place = 1;
      for (let before = previousElement(at); before !== null; before = previousElement(before)) place++;
      way = `>${localName(at)}:${place}${way}`;
    }
    return undefined;
  };
  // What an object is, and whether its place in the page names it; undefined if it is no part of the page.
  colobus.accesses.describe = (object) => {
    if (object === globalThis) return { kind: "window", placed: true };
    if (object === document) return { kind: "document", placed: true };
    if (isKnown(proxies, object)) return undefined;
    try {
      if (isPrototypeOf(aText, object)) {
        const way = wayTo(parentNode(object) ?? object);
        return way === undefined ? { kind: "text", placed: false } : { kind: `text at ${way}`, placed: true };
      }
      if (!isPrototypeOf(anElement, object)) return undefined;
      const id = getAttribute(object, "id");
      if (id) return { kind: `<${localName(object)}#${id}>`, placed: true };
      const way = wayTo(object);
      const kind = `<${localName(object)}>`;
      return way === undefined ? { kind, placed: false } : { kind: `${kind} at ${way}`, placed: true };
    } catch {
      // A prototype of elements, not an element.
      return undefined;
    }
  };
  colobus.nodes = {
    changing(how, change) {
      colobus.accesses.drain(site());
      manner = how;
      try {
        return change();
      } finally {
        colobus.accesses.drain(site());
        manner = WRITE;
      }
    },
    isElement,
    parentNode,
    touchNode,
    touchTree,
    watch,
    wordsOf,
  };
})(globalThis[Symbol.for("colobus")]);
