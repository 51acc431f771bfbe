// player: what replaying needs to know of an element before trusted input goes there: that it is there, visible, still,
// and hit; and the few things that trusted input cannot do.
((colobus) => {
  const { find, shadowOf } = colobus.element;
  const { native } = colobus;

  const visible = (element) => {
    const box = element.getBoundingClientRect();
    const sized = (box.width > 0 && box.height > 0) || element === document.documentElement || element === document.body;
    return sized && element.checkVisibility({ visibilityProperty: true });
  };
  const corner = (element) => {
    const box = element.getBoundingClientRect();
    return { x: box.left, y: box.top };
  };
  const contains = (outer, inner) => {
    for (let node = inner; node; node = node.parentNode ?? node.host) if (node === outer) return true;
    return false;
  };
  const under = (x, y) => {
    let element = document.elementFromPoint(x, y);
    while (element && shadowOf(element)) {
      const inner = shadowOf(element).elementFromPoint(x, y);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  };
  const name = (element) => element.localName + (element.id ? `#${element.id}` : "");

  // Why input cannot go to this place of the element yet; nothing if it can.
  const obstacle = (element, at) => {
    if (!visible(element)) return "it is not visible";
    if (element.matches(":disabled")) return "it is disabled";
    if (!at) return null;
    const { x, y } = corner(element);
    const place = [x + at[0], y + at[1]];
    if (place[0] < 0 || place[1] < 0 || place[0] >= innerWidth || place[1] >= innerHeight) return "it is outside of the window";
    const hit = under(...place);
    return hit && (contains(element, hit) || contains(hit, element) || element.control === hit) ? null : `it is covered by ${hit ? name(hit) : "nothing"}`;
  };

  // A place inside the element also when it has become smaller.
  const inside = (element, at) => {
    const box = element.getBoundingClientRect();
    const limit = (value, size) => (value >= 0 && value > size && size > 1 ? size / 2 : value);
    return [limit(at[0], box.width), limit(at[1], box.height)];
  };

  // Places are written with two decimals, and events have none: what was a whole pixel becomes one again.
  const snap = (value) => (Math.abs(value - Math.round(value)) < 0.02 ? Math.round(value) : value);

  // The nearest element around it that can be seen: what opens when the mouse is over something is usually part of that.
  const around = (element) => {
    for (let node = element.parentNode ?? element.host; node && node !== document.body; node = node.parentNode ?? node.host)
      if (node.nodeType === 1 && visible(node)) return node === document.documentElement ? null : node;
    return null;
  };
  let over = null;

  // Waits for the element: {x, y, givenUp} of the place in this frame's window, or {problem}, or {hover}, a place where the
  // mouse may make it appear. `wants` is "hit" for the mouse, "visible" for keys, "there" for the rest.
  let last = null;
  const await_ = async (hops, hints, at, wants, limitMs) => {
    const begin = native.now();
    const deadline = begin + limitMs;
    for (;;) {
      const found = find(hops, hints);
      let problem = found.problem;
      if (!problem && wants !== "there") {
        const { element } = found;
        const place = at && inside(element, at);
        problem = obstacle(element, wants === "hit" ? place : null);
        if (problem === "it is outside of the window") {
          element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
          problem = obstacle(element, place);
        }
        if (!problem) {
          const before = corner(element);
          await colobus.drawn();
          const after = corner(element);
          if (before.x !== after.x || before.y !== after.y) problem = "it keeps moving";
          else if (place) found.place = [snap(after.x + place[0]), snap(after.y + place[1])];
        }
      }
      if (problem === "it is not visible" && wants === "hit" && native.now() - begin > colobus.settings.limits.hiddenMs) {
        const nearest = around(found.element);
        if (nearest && nearest !== over) {
          over = nearest;
          const box = nearest.getBoundingClientRect();
          return { hover: [box.left + box.width / 2, box.top + box.height / 2] };
        }
      }
      if (!problem) {
        over = null;
        last = found.element;
        return { x: found.place?.[0], y: found.place?.[1], givenUp: found.givenUp, tag: last.localName };
      }
      if (native.now() >= deadline) return { problem };
      await colobus.drawn();
    }
  };

  const active = () => {
    let element = document.activeElement;
    while (element && shadowOf(element)?.activeElement) element = shadowOf(element).activeElement;
    return element;
  };

  // Keys go to whatever has the focus: true if it had to be moved to the element that was found last.
  const focus = () => {
    if (/^(html|body)$/.test(last.localName) || active() === last) return false;
    last.focus({ preventScroll: true });
    return true;
  };

  // How far the list of a select element is from what is to be chosen, in steps down.
  const choices = (values) => {
    const options = [...last.options].filter((option) => !option.disabled);
    const wanted = options.findIndex((option) => option.value === values[0]);
    const shown = options.findIndex((option) => option.selected);
    return wanted < 0 ? { problem: `it has no choice ${JSON.stringify(values[0])}` } : { steps: wanted - shown };
  };

  const setValue = (value) => {
    last.focus();
    // The setter of its own kind: pages replace those of single elements.
    const kinds = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement];
    const kind = kinds.find((kind) => last instanceof kind);
    if (kind) Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(last, value);
    else last.textContent = value;
    last.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    last.dispatchEvent(new Event("change", { bubbles: true }));
  };

  // The clipboard is filled through a copy that the page does not hear of.
  let clipboard = null;
  addEventListener(
    "copy",
    (event) => {
      if (!clipboard) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      event.clipboardData.setData("text/plain", clipboard.text);
      if (clipboard.html) event.clipboardData.setData("text/html", clipboard.html);
    },
    true,
  );
  const fillClipboard = (text, html) => {
    clipboard = { text, html };
    const filled = document.execCommand("copy");
    clipboard = null;
    return filled;
  };

  // What is still to be scrolled, and where the wheel has to be turned.
  const scrollBy = (to) => {
    const box = last === document.documentElement ? { left: 0, top: 0, width: innerWidth, height: innerHeight } : last.getBoundingClientRect();
    return { dx: to[0] - last.scrollLeft, dy: to[1] - last.scrollTop, x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const scrollTo = (to) => last.scrollTo({ left: to[0], top: to[1], behavior: "instant" });

  const selectAll = () => (last.select ? last.select() : document.getSelection().selectAllChildren(last));

  let begun = null;
  addEventListener("dragstart", (event) => (begun = event), true);
  const dragging = () => begun !== null && !begun.defaultPrevented;
  const forgetDrag = () => (begun = null);

  colobus.player = { await: await_, focus, choices, setValue, fillClipboard, scrollBy, scrollTo, selectAll, dragging, forgetDrag, found: () => last };
})(globalThis[Symbol.for("colobus")]);
