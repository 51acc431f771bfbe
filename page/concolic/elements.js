// elements: texts, attributes and classes that a page reads back from its elements, as state. Which of them a program reads is known
// from its code: `k.rb` tells it.
((colobus) => {
  const { apply, known, pair, constant } = colobus.symbolic;
  const { k, properties, propertiesOf, isObject } = colobus.concolic;
  const MOST = 300;
  const E = globalThis.Element?.prototype ?? {};
  const T = globalThis.DOMTokenList?.prototype ?? {};

  // Names of properties, `contains CLASS`, `getAttribute NAME`, and `key CHARACTER`.
  const reads = new Set();
  k.rb = (...names) => names.forEach((name) => reads.add(name));
  const read = (start) => [...reads].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));

  const locator = (element) => {
    if (element.id) return `#${element.id}`;
    const name = element.getAttribute("name");
    if (name) return `[name=${name}]`;
    const steps = [];
    for (let node = element; node?.parentElement; node = node.parentElement) steps.unshift(`${node.localName}${[...node.parentElement.children].indexOf(node) + 1}`);
    return steps.join(">") || element.localName;
  };

  // One text has several names: what is written by the one is read by the other.
  const TEXTS = ["textContent", "innerText", "innerHTML"];
  const nameOf = (object, name) => (TEXTS.includes(name) && globalThis.Element && object instanceof Element ? "textContent" : name);
  // Properties that turn whatever is written into a text.
  const WRITTEN_AS_TEXT = ["textContent", "title", "className", "value", "placeholder"];
  const isText = (object, name) => object instanceof DOMStringMap || ((object instanceof Element || object instanceof Document) && WRITTEN_AS_TEXT.includes(nameOf(object, name)));
  // What is known of a property after something was written to it.
  const written = (object, name, given, value) => {
    if (typeof document === "undefined" || !(object instanceof Node || object instanceof DOMStringMap)) return given;
    if (name === "className" && object instanceof Element) forget(object.classList);
    return isText(object, name) && given && typeof value !== "string" && known(given, value) ? pair(value === null && name !== "title" ? "" : String(value), apply("totext", given.expr)) : given;
  };
  const forget = (list) => [...(properties.get(list)?.keys() ?? [])].forEach((what) => propertiesOf(list).set(what, null));

  const isWritten = (element) => element.children.length === 0 && !/^(script|style|title|textarea|select|option|input|template)$/.test(element.localName);
  const place = (object, what, name, get, set) => ({ name, get, set, take: () => properties.get(object)?.get(what), keep: (given) => propertiesOf(object).set(what, given) });
  const property = (object, key, name) => place(object, key, `${name}.${key}`, () => object[key], (value) => (value === undefined ? delete object[key] : (object[key] = value)));
  const attribute = (element, name) =>
    place(element, `@${name}`, `${locator(element)}[${name}]`, () => element.getAttribute(name), (value) => (value === null ? element.removeAttribute(name) : element.setAttribute(name, value)));

  const places = () => {
    if (typeof document === "undefined" || reads.size === 0) return [];
    const found = [];
    const [classes, attributes] = [read("contains "), [...new Set(["get", "has"].flatMap((verb) => read(`${verb}Attribute `)))]];
    const readsText = TEXTS.some((name) => reads.has(name));
    const flags = ["hidden", "disabled", "className", "title", "open"].filter((name) => reads.has(name));
    const styles = reads.has("style") ? ["display"].filter((name) => reads.has(name)) : [];
    if (reads.has("title")) found.push(property(document, "title", "document"));
    const all = [...document.querySelectorAll("*")];
    const keys = reads.has("dataset") ? new Set(all.flatMap((element) => Object.keys(element.dataset ?? {}))) : new Set();
    for (const element of all) {
      if (found.length > MOST) break;
      const name = locator(element);
      if (readsText && isWritten(element) && document.body?.contains(element)) found.push(property(element, "textContent", name));
      for (const key of flags) if (key in element && (element.id || element.hasAttribute(key) || (key === "className" && element.className))) found.push(property(element, key, name));
      for (const key of styles) if (element.style && (element.id || element.hasAttribute("style"))) found.push(property(element.style, key, `${name}.style`));
      if (element.dataset && Object.keys(element.dataset).length > 0) for (const key of keys) found.push(property(element.dataset, key, `${name}.dataset`));
      for (const key of classes) found.push(place(element.classList, key, `${name}.classList.contains(${JSON.stringify(key)})`, () => element.classList.contains(key), (value) => element.classList.toggle(key, value)));
      for (const key of attributes) if (element.id || element.hasAttribute(key)) found.push(attribute(element, key));
    }
    return found;
  };

  // Functions that read and write them.
  const beside = (object, what, value) => known(properties.get(object)?.get(what), value);
  const toggled = (list, [name, force], given) => {
    const was = beside(list, name, list.contains(name));
    return (result) => {
      const asked = given.length > 1 ? known(given[1], force) && apply("not", apply("not", given[1].expr)) : was && apply("not", was);
      propertiesOf(list).set(name, pair(result, asked));
      return pair(result, asked);
    };
  };
  const models = new Map([
    [T.contains, (list, [name]) => (result) => pair(result, beside(list, name, result))],
    [T.toggle, toggled],
    [T.add, (list, names) => () => (names.forEach((name) => propertiesOf(list).set(String(name), null)), null)],
    [T.remove, (list, names) => () => (names.forEach((name) => propertiesOf(list).set(String(name), null)), null)],
    [E.getAttribute, (element, [name]) => (result) => pair(result, beside(element, `@${name}`, result))],
    [E.hasAttribute, (element, [name]) => (result) => {
      const text = beside(element, `@${name}`, element.getAttribute(name));
      return pair(result, text && apply("notequal", text, constant(null)));
    }],
    [E.setAttribute, (element, [name, value], given) => () => {
      if (name === "class") forget(element.classList);
      if (String(name).startsWith("data-")) forget(element.dataset);
      const symbolic = known(given[1], value);
      propertiesOf(element).set(`@${name}`, symbolic ? pair(String(value), typeof value === "string" ? symbolic : apply("totext", symbolic)) : null);
      return null;
    }],
    [E.removeAttribute, (element, [name]) => () => (propertiesOf(element).set(`@${name}`, null), null)],
  ]);
  const before = (f, self, values, given) => {
    const model = f && isObject(self) ? models.get(f) : undefined;
    return model ? { values, after: model(self, values, given) } : null;
  };

  colobus.concolic.elements = { locator, read, places, before, nameOf, written };
})(globalThis[Symbol.for("colobus")]);
