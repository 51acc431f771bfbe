// element: what is said of an element so that it can be found again (describe), and finding it again (find). Roots are
// documents and shadow roots; closed shadow roots are known because they are made here.
((colobus) => {
  const { role, label, textOf } = colobus.names;
  const closedRoots = new WeakMap();
  const attach = Element.prototype.attachShadow;
  colobus.wrapNative(Element.prototype, "attachShadow", {
    apply(target, self, args) {
      const root = Reflect.apply(attach, self, args);
      closedRoots.set(self, root);
      return root;
    },
  });
  const shadowOf = (element) => element.shadowRoot ?? closedRoots.get(element) ?? null;

  // Describing ----------------------------------------------------------------------------------------------------------
  const step = (element, isTarget) => {
    const { localName } = element;
    const siblings = element.parentNode ? [...element.parentNode.children].filter((sibling) => sibling.localName === localName) : [];
    const attributes = [];
    if (element.id) attributes.push(["id", element.id]);
    const name = isTarget ? element.getAttribute("name") : null;
    if (name) attributes.push(["name", name]);
    return { tag: localName, position: siblings.length > 1 ? siblings.indexOf(element) + 1 : null, attributes };
  };

  // Paths from the document inwards, one for each root on the way.
  const paths = (element) => {
    const hops = [];
    for (let target = element; target; ) {
      const steps = [];
      let node = target;
      for (; node?.nodeType === 1; node = node.parentNode) steps.unshift(step(node, node === target));
      hops.unshift(steps);
      target = node?.host ?? null;
    }
    return hops;
  };

  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  const describe = (element) => {
    const hidden = colobus.secrets?.has(element);
    return {
      paths: paths(element),
      role: role(element),
      label: label(element),
      text: hidden || label(element) ? "" : textOf(element),
      at: middle(element),
    };
  };

  // Finding -------------------------------------------------------------------------------------------------------------
  const matches = (element, { tag, position, attributes }) => {
    if (tag !== "*" && element.localName !== tag) return false;
    if (attributes.some(([name, value]) => element.getAttribute(name) !== value)) return false;
    if (position === null) return true;
    let before = 1;
    for (let node = element.previousElementSibling; node; node = node.previousElementSibling) if (node.localName === element.localName) before++;
    return before === position;
  };
  const follow = (root, steps) =>
    steps.reduce(
      (from, step) => {
        const below = from.flatMap((node) => (step.deep ? [...node.querySelectorAll(step.tag === "*" ? "*" : CSS.escape(step.tag))] : [...node.children]));
        return [...new Set(below)].filter((element) => matches(element, step));
      },
      [root],
    );

  const distance = (element, [x, y]) => {
    const [mx, my] = middle(element);
    return Math.hypot(mx - x, my - y);
  };
  const everything = (root) => [...root.querySelectorAll("*")];

  // What people would say of it still holds.
  const fits = (element, hints) => {
    if (hints.role && role(element) !== hints.role) return false;
    if (hints.label) return label(element) === hints.label;
    return !hints.text || textOf(element) === hints.text;
  };

  // The one element that is meant, with what was given up to find it; or {problem}.
  const findIn = (root, candidates, hints) => {
    const tag = candidates[0].steps.at(-1).tag;
    const saying = hints.role || hints.label || hints.text;
    for (const { steps, givenUp } of candidates) {
      const found = follow(root, steps).filter((element) => fits(element, hints));
      if (found.length === 1) return { element: found[0], givenUp };
    }
    if (saying) {
      const named = everything(root).filter((element) => element.localName === tag && fits(element, hints));
      if (named.length === 1) return { element: named[0], givenUp: hints.label ? "role-and-label" : "text" };
      const spoken = hints.label ? everything(root).filter((element) => fits(element, hints)) : [];
      if (named.length === 0 && spoken.length === 1) return { element: spoken[0], givenUp: "role-and-label" };
      if (named.length > 1 && hints.at) {
        const nearest = named.sort((a, b) => distance(a, hints.at) - distance(b, hints.at));
        return { element: nearest[0], givenUp: "position" };
      }
    }
    // No element has the name any more: then the place alone has to do.
    for (const { steps, givenUp } of candidates) {
      const found = follow(root, steps);
      if (found.length === 1) return { element: found[0], givenUp: givenUp === "nothing" ? (saying ? "name" : "nothing") : givenUp };
    }
    if (hints.at && root.elementFromPoint) {
      const element = root.elementFromPoint(...hints.at);
      if (element?.localName === tag) return { element, givenUp: "position" };
    }
    return { problem: "it is not in the page" };
  };

  // hops: candidates for each root on the way; hints are about the last one.
  const find = (hops, hints) => {
    let root = document;
    const givenUp = new Set();
    for (const [index, candidates] of hops.entries()) {
      const last = index === hops.length - 1;
      const found = root ? findIn(root, candidates, last ? hints : {}) : { problem: "the element around it has no shadow root" };
      if (found.problem) return found;
      if (found.givenUp !== "nothing") givenUp.add(found.givenUp);
      if (last) return { element: found.element, givenUp: [...givenUp] };
      root = shadowOf(found.element);
    }
  };

  colobus.element = { describe, label, find, shadowOf, paths };
})(globalThis[Symbol.for("colobus")]);
