// What the functions and accessors of the browser read and write. Those that are not named here count by kind: an
// accessor touches the place of its name, a method reads and writes its receiver and its arguments.
((colobus) => {
  if (!colobus.nodes) return;
  const { Map, Set, WeakMap, apply, descriptor, exec, has, hasOwn, keys, lookUp, note, noted, slice, text } = colobus.kept;
  const { toLowerCase } = colobus.kept;
  const { ADD, READ, UPDATE, WRITE, builtin, insteadOf, isObject, touchInstead, touchOther, touchWhole } = colobus.log;
  const { changing, parentNode, touchNode, touchTree, watch, wordsOf } = colobus.nodes;
  const { site } = colobus.accesses;
  const words = (line) => new Set(line.split(" "));

  const readLayout = () => touchOther(["layout"], READ);
  const touchLocation = (how) => touchOther(["location"], how);

  // Every part of a selector can make its result change; pseudo-classes and combinators look at any element.
  const readSelector = (selector) => {
    const part = /([#.]?)(-?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*)|\[\s*([\w-]+)|[:*+~]/g;
    const source = text(selector);
    for (let found = exec(part, source); found !== null; found = exec(part, source)) {
      const { 0: whole, 1: kind, 2: name, 3: attribute } = found;
      if (attribute) touchOther(["query", `@${toLowerCase(attribute)}`], READ);
      else if (!name) touchOther(["query", "any"], READ);
      else if (kind === "#") touchOther(["query", "id", name], READ);
      else if (kind === ".") touchOther(["query", "class", name], READ);
      else touchOther(["query", "tag", toLowerCase(whole)], READ);
    }
  };
  const live = (family) => (self, args, result) => {
    const read = () => {
      const names = wordsOf(text(args[0]));
      for (let at = 0; at < names.length; at++) {
        touchOther(names[at] === "*" ? ["query", "any"] : ["query", family, names[at]], READ);
      }
    };
    read();
    if (isObject(result)) touchInstead(result, read);
  };

  // After the call: (receiver, arguments, result).
  const reads = {
    querySelector: (self, args) => readSelector(args[0]),
    querySelectorAll: (self, args) => readSelector(args[0]),
    matches: (self, args) => (readSelector(args[0]), touchTree(self, READ)),
    closest: (self, args) => (readSelector(args[0]), touchTree(self, READ)),
    getElementById: (self, args) => touchOther(["query", "id", text(args[0])], READ),
    getElementsByTagName: live("tag"),
    getElementsByClassName: live("class"),
    getElementsByName: live("name"),
    getAttribute: (self, args) => touchNode(self, `@${toLowerCase(text(args[0]))}`, READ),
    hasAttribute: (self, args) => touchNode(self, `@${toLowerCase(text(args[0]))}`, READ),
    contains: (self) => touchNode(self, "tree", READ),
    cloneNode: (self, args) => touchNode(self, args[0] ? "tree" : "children", READ),
    hasChildNodes: (self) => touchNode(self, "children", READ),
    compareDocumentPosition: (self) => touchOther(["query", "any"], READ),
    getBoundingClientRect: readLayout,
    getClientRects: readLayout,
    getComputedStyle: readLayout,
    elementFromPoint: readLayout,
    attachShadow: (self, args, result) => watch(result),
  };
  const siblings = (self) => touchNode(parentNode(self) ?? self, "children", WRITE);
  const children = (self) => touchNode(self, "children", WRITE);
  const attribute = (self, args) => touchNode(self, `@${toLowerCase(text(args[0]))}`, WRITE);
  const changes = {
    appendChild: children, insertBefore: children, removeChild: children, replaceChild: children, append: children,
    prepend: children, replaceChildren: children, insertAdjacentHTML: children, insertAdjacentElement: children,
    insertAdjacentText: children, normalize: children, write: children, writeln: children,
    remove: siblings, before: siblings, after: siblings, replaceWith: siblings,
    setAttribute: attribute, removeAttribute: attribute, toggleAttribute: attribute,
    setAttributeNS: attribute, removeAttributeNS: attribute,
  };

  const state = words("value checked selected selectedIndex indeterminate selectionStart selectionEnd selectionDirection "
    + "scrollTop scrollLeft open files valueAsNumber valueAsDate currentTime paused readyState activeElement hidden");
  const geometry = words("offsetWidth offsetHeight offsetTop offsetLeft offsetParent clientWidth clientHeight clientTop "
    + "clientLeft scrollWidth scrollHeight innerWidth innerHeight scrollX scrollY pageXOffset pageYOffset");
  const lists = words("childNodes children firstChild lastChild firstElementChild lastElementChild childElementCount");
  const neighbours = words("nextSibling previousSibling nextElementSibling previousElementSibling parentNode parentElement isConnected");
  const deep = words("innerHTML outerHTML textContent innerText");
  const tags = { body: "body", head: "head", forms: "form", images: "img", links: "a", scripts: "script", documentElement: "html" };
  const attributeNames = { className: "class", htmlFor: "for" };

  // The place that an accessor stands for, as a function of how it is touched.
  const accessorOf = (name, isNode) => {
    if (has(geometry, name)) return (self, how) => touchOther(["layout"], how);
    if (name === "cookie") return (self, how) => touchOther(["cookie"], how);
    if (!isNode) return (self, how) => touchNode(self, name, how);
    if (has(lists, name)) return (self, how) => touchNode(self, "children", how);
    if (has(neighbours, name)) return (self, how) => touchNode(parentNode(self) ?? self, "children", how);
    if (has(deep, name)) return (self, how) => touchNode(self, "tree", how);
    if (name === "data" || name === "nodeValue") return (self, how) => touchNode(self, "text", how);
    if (hasOwn(tags, name)) return (self, how) => touchOther(["query", "tag", tags[name]], how);
    if (has(state, name)) return (self, how) => touchNode(self, name, how);
    const attribute = `@${hasOwn(attributeNames, name) ? attributeNames[name] : name.toLowerCase()}`;
    return (self, how) => touchNode(self, attribute, how);
  };

  // Constant, or of no other event.
  const still = words("nodeType nodeName localName tagName namespaceURI prefix ownerDocument defaultView implementation "
    + "shadowRoot host baseURI classList dataset relList sandbox constructor location form");
  const pure = /^(Event|.*Event|EventTarget|Performance.*|Crypto.*|SubtleCrypto|Text.*coder.*|URL|Console|Intl.*|Mutation.*|DOMException|DOMParser|Storage|DOMTokenList|CSSStyleDeclaration|HTMLCollection|NodeList|Promise|AbortController|Headers|Request|Response|Blob|File)$/;
  const quiet = /^(get|has|is|item|namedItem|keys|values|entries|forEach|toString|toJSON|create|check|report|focus|blur|click|query|import|adopt|then)/;

  const logMethod = (owner, name, isNode) => {
    const read = hasOwn(reads, name) ? reads[name] : undefined;
    const change = hasOwn(changes, name) ? changes[name] : undefined;
    if (read === undefined && change === undefined && quiet.test(name)) return;
    colobus.wrapPart(owner, name, "value", {
      apply: (target, self, args) => {
        if (read !== undefined) {
          const result = apply(target, self, args);
          read(self, args, result);
          return result;
        }
        const place = self ?? globalThis;
        if (change !== undefined) change(place, args);
        else {
          touchWhole(place, UPDATE);
          for (let at = 0; at < args.length; at++) touchWhole(args[at], UPDATE);
        }
        return isNode ? changing(WRITE, () => apply(target, self, args)) : apply(target, self, args);
      },
    });
  };

  const logAccessor = (owner, name, isNode) => {
    if (slice(name, 0, 2) === "on" || has(still, name)) return;
    const touches = accessorOf(name, isNode);
    colobus.wrapPart(owner, name, "get", {
      apply: (get, self, args) => (isObject(self) && touches(self, READ), apply(get, self, args)),
    });
    colobus.wrapPart(owner, name, "set", {
      apply: (set, self, args) => {
        if (isObject(self)) touches(self, WRITE);
        return isNode ? changing(WRITE, () => apply(set, self, args)) : apply(set, self, args);
      },
    });
  };

  // Not every global object lists all that it has: that of jsdom does not.
  const core = words("Node Element Document DocumentFragment ShadowRoot CharacterData Attr HTMLElement HTMLAnchorElement "
    + "HTMLButtonElement HTMLFormElement HTMLImageElement HTMLInputElement HTMLOptionElement HTMLScriptElement "
    + "HTMLSelectElement HTMLTextAreaElement SVGElement Range Selection History Location Storage DOMTokenList DOMStringMap "
    + "HTMLCollection NodeList CSSStyleDeclaration EventTarget XMLHttpRequest WebSocket Event MutationObserver");
  const interfaces = new Map();
  for (const name of [...core, ...keys(globalThis)]) {
    if (typeof name !== "string" || !/^[A-Z]/.test(name)) continue;
    const { value } = descriptor(globalThis, name) ?? {};
    if (typeof value === "function" && isObject(value.prototype)) interfaces.set(name, value);
  }
  colobus.nodes.interfaces = interfaces;
  for (const { prototype } of interfaces.values()) {
    if (noted(builtin, prototype) === undefined) note(builtin, prototype, new Set(keys(prototype)));
  }
  for (const [name, { prototype }] of interfaces) {
    if (pure.test(name)) continue;
    // Functions of the language inherit from Object alone; builtins.js looks after them.
    if (!(prototype instanceof EventTarget || /^(Range|Selection|History|Attr)$/.test(name))) continue;
    const isNode = prototype === Node.prototype || prototype instanceof Node;
    for (const member of keys(prototype)) {
      if (typeof member !== "string" || member === "constructor") continue;
      const part = descriptor(prototype, member);
      if (typeof part.value === "function") logMethod(prototype, member, isNode);
      else if (part.get) logAccessor(prototype, member, isNode);
    }
  }
  colobus.wrapPart(globalThis, "getComputedStyle", "value", {
    apply: (target, self, args) => (readLayout(), apply(target, self, args)),
  });

  // Objects that stand for parts of an element.
  const owners = new WeakMap();
  const partOf = (name, touches) => {
    const owner = [Element, HTMLElement, globalThis.SVGElement].find((each) => each && hasOwn(each.prototype, name));
    if (!owner) return;
    colobus.wrapPart(owner.prototype, name, "get", {
      apply: (get, self, args) => {
        const part = apply(get, self, args);
        if (isObject(part) && noted(owners, part) === undefined) {
          note(owners, part, self);
          touches(part, self);
        }
        return part;
      },
    });
  };
  partOf("dataset", (part, element) => touchInstead(part, (key, how, at) => touchNode(element, "@dataset", how, at)));
  partOf("style", (part, element) => touchInstead(part, (key, how, at) => touchNode(element, "@style", how, at)));
  partOf("classList", () => {});
  const classes = { add: ADD, remove: WRITE, toggle: UPDATE, replace: UPDATE, contains: READ };
  for (const [name, how] of Object.entries(classes)) {
    colobus.wrapPart(DOMTokenList.prototype, name, "value", {
      apply: (target, self, args) => {
        const element = noted(owners, self);
        if (element) for (let at = 0; at < args.length; at++) touchNode(element, `class:${text(args[at])}`, how);
        return how === READ ? apply(target, self, args) : changing(how === ADD ? ADD : WRITE, () => apply(target, self, args));
      },
    });
  }
  for (const name of keys(CSSStyleDeclaration.prototype)) {
    if (typeof name !== "string" || /^(constructor|item|get.*|length|parentRule)$/.test(name)) continue;
    const log = (target, self, args) => {
      const element = noted(owners, self);
      if (element) touchNode(element, "@style", WRITE);
      return changing(WRITE, () => apply(target, self, args));
    };
    for (const part of ["value", "set"]) colobus.wrapPart(CSSStyleDeclaration.prototype, name, part, { apply: log });
  }
  for (const { prototype } of [HTMLCollection, NodeList]) {
    const read = (self) => isObject(self) && insteadOf(self)?.("length", READ, site());
    colobus.wrapPart(prototype, "length", "get", { apply: (get, self, args) => (read(self), apply(get, self, args)) });
    colobus.wrapPart(prototype, "item", "value", { apply: (get, self, args) => (read(self), apply(get, self, args)) });
  }

  // Storage, location, history.
  const area = (self) => (self === colobus.nodes.session ? "session" : "local");
  const entry = (how) => (self, args) => touchOther(["storage", area(self), args.length ? text(args[0]) : "*"], how);
  const storage = { getItem: READ, setItem: WRITE, removeItem: WRITE, clear: UPDATE, key: READ };
  if (globalThis.Storage) {
    for (const [name, how] of Object.entries(storage)) {
      const log = entry(how);
      const whole = name === "clear" || name === "key";
      colobus.wrapPart(Storage.prototype, name, "value", {
        apply: (target, self, args) => (log(self, whole ? [] : args), apply(target, self, args)),
      });
    }
    for (const name of ["localStorage", "sessionStorage"]) {
      try {
        const found = globalThis[name];
        if (name === "sessionStorage") colobus.nodes.session = found;
        touchInstead(found, (key, how) => touchOther(["storage", area(found), text(key)], how));
      } catch {
        // Documents without an origin have none.
      }
    }
  }
  const leaves = words("assign replace reload");
  touchInstead(globalThis.location, (key, how) => touchLocation(has(leaves, key) ? WRITE : how));
  for (const name of ["pushState", "replaceState", "back", "forward", "go"]) {
    colobus.wrapPart(History.prototype, name, "value", {
      apply: (target, self, args) => (touchLocation(WRITE), apply(target, self, args)),
    });
  }
})(globalThis[Symbol.for("colobus")]);
