// What the functions and accessors of the browser read and write. Those that are not named here count by kind: an
// accessor touches the place of its name, a method reads and writes its receiver and its arguments.
((colobus) => {
  if (!colobus.nodes) return;
  const { apply, descriptor, hasOwn, keys, noted, note, slice, text, WeakMap } = colobus.kept;
  const { ADD, READ, UPDATE, WRITE, insteadOf, isObject, numberOf, touchInstead, touchOther, touchWhole } = colobus.log;
  const { changing, parentNode, toLowerCase, touchNode, touchTree, watch } = colobus.nodes;
  const { site } = colobus.accesses;
  const words = (line) => new globalThis.Set(line.split(" "));

  const readLayout = () => touchOther(["layout"], READ);
  const touchLocation = (how) => touchOther(["location"], how);

  // Every part of a selector can make its result change; pseudo-classes and combinators look at any element.
  const readSelector = (selector) => {
    const parts = text(selector).matchAll(/([#.]?)(-?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*)|\[\s*([\w-]+)|[:*+~]/g);
    for (const [whole, kind, name, attribute] of parts) {
      if (attribute) touchOther(["query", `@${toLowerCase(attribute)}`], READ);
      else if (!name) touchOther(["query", "any"], READ);
      else if (kind === "#") touchOther(["query", "id", name], READ);
      else if (kind === ".") touchOther(["query", "class", name], READ);
      else touchOther(["query", "tag", toLowerCase(whole)], READ);
    }
  };
  const live = (family) => (self, args, result) => {
    const read = () => {
      const names = text(args[0]).split(/\s+/);
      for (const name of names) touchOther(name === "*" ? ["query", "any"] : ["query", family, name], READ);
    };
    read();
    if (isObject(result)) touchInstead(result, read);
  };

  // After the call: (receiver, arguments, result).
  const reads = {
    querySelector: (self, [selector]) => readSelector(selector),
    querySelectorAll: (self, [selector]) => readSelector(selector),
    matches: (self, [selector]) => (readSelector(selector), touchTree(self, READ)),
    closest: (self, [selector]) => (readSelector(selector), touchTree(self, READ)),
    getElementById: (self, [id]) => touchOther(["query", "id", text(id)], READ),
    getElementsByTagName: live("tag"),
    getElementsByClassName: live("class"),
    getElementsByName: live("name"),
    getAttribute: (self, [name]) => touchNode(self, `@${toLowerCase(text(name))}`, READ),
    hasAttribute: (self, [name]) => touchNode(self, `@${toLowerCase(text(name))}`, READ),
    contains: (self) => touchNode(self, "tree", READ),
    cloneNode: (self, [deep]) => touchNode(self, deep ? "tree" : "children", READ),
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
  const attribute = (self, [name]) => touchNode(self, `@${toLowerCase(text(name))}`, WRITE);
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
  const tags = new globalThis.Map(Object.entries({ body: "body", head: "head", forms: "form", images: "img", links: "a",
    scripts: "script", documentElement: "html" }));
  const attributeNames = new globalThis.Map([["className", "class"], ["htmlFor", "for"], ["style", "style"]]);

  // The place that an accessor stands for, as a function of how it is touched.
  const accessorOf = (name, isNode) => {
    if (geometry.has(name)) return (self, how) => touchOther(["layout"], how);
    if (name === "cookie") return (self, how) => touchOther(["cookie"], how);
    if (!isNode) return (self, how) => touchNode(self, name, how);
    if (lists.has(name)) return (self, how) => touchNode(self, "children", how);
    if (neighbours.has(name)) return (self, how) => touchNode(parentNode(self) ?? self, "children", how);
    if (deep.has(name)) return (self, how) => touchNode(self, "tree", how);
    if (name === "data" || name === "nodeValue") return (self, how) => touchNode(self, "text", how);
    if (tags.has(name)) return (self, how) => touchOther(["query", "tag", tags.get(name)], how);
    if (state.has(name)) return (self, how) => touchNode(self, name, how);
    const attribute = `@${attributeNames.get(name) ?? name.toLowerCase()}`;
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
    if (slice(name, 0, 2) === "on" || still.has(name)) return;
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

  const isInterface = (value) => typeof value === "function" && isObject(value.prototype);
  for (const name of keys(globalThis)) {
    if (typeof name !== "string" || pure.test(name) || !/^[A-Z]/.test(name)) continue;
    const { value } = descriptor(globalThis, name) ?? {};
    // Functions of the language inherit from Object alone, and have been looked after.
    if (!isInterface(value) || !(value.prototype instanceof EventTarget || /^(Range|Selection|History|XMLHttp.*|Web.*)$/.test(name))) continue;
    const isNode = value === Node || value.prototype instanceof Node;
    for (const member of keys(value.prototype)) {
      if (typeof member !== "string" || member === "constructor") continue;
      const part = descriptor(value.prototype, member);
      if (typeof part.value === "function") logMethod(value.prototype, member, isNode);
      else if (part.get) logAccessor(value.prototype, member, isNode);
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
  for (const name of ["setProperty", "removeProperty", "cssText"]) {
    const log = (part) => ({
      apply: (target, self, args) => {
        const element = noted(owners, self);
        if (element) touchNode(element, "@style", WRITE);
        return changing(WRITE, () => apply(target, self, args));
      },
      part,
    });
    for (const part of ["value", "set"]) colobus.wrapPart(CSSStyleDeclaration.prototype, name, part, log(part));
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
  touchInstead(globalThis.location, (key, how) => touchLocation(leaves.has(key) ? WRITE : how));
  for (const name of ["pushState", "replaceState", "back", "forward", "go"]) {
    colobus.wrapPart(History.prototype, name, "value", {
      apply: (target, self, args) => (touchLocation(WRITE), apply(target, self, args)),
    });
  }
})(globalThis[Symbol.for("colobus")]);
