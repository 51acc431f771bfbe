// input: what trusted input needs to know before it happens: where an element is, what has the focus, whether it is there.
((colobus) => {
  const describe = (element) =>
    element.localName + (element.id ? `#${element.id}` : "") + [...element.classList].map((name) => `.${name}`).join("");

  const visible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  const middle = (element) => {
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };

  // A place inside the element, also when it has become smaller.
  const place = (element, at) => {
    if (!at) return middle(element);
    const box = element.getBoundingClientRect();
    const limit = (value, size) => Math.min(value, Math.max(size - 1, size / 2));
    return { x: box.left + limit(at.x, box.width), y: box.top + limit(at.y, box.height) };
  };

  const inside = ({ x, y }) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

  const under = ({ x, y }) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const deeper = found.shadowRoot.elementFromPoint(x, y);
      if (!deeper || deeper === found) break;
      found = deeper;
    }
    return found;
  };

  const contains = (outer, inner) => {
    for (let node = inner; node; node = node.parentNode ?? node.host) if (node === outer) return true;
    return false;
  };

  // The middle of the first visible element that matches, or the place {x, y} in it: {x, y} in the page, or {problem}.
  const locate = (selector, at = null) => {
    const all = [...document.querySelectorAll(selector)];
    if (all.length === 0) return { problem: `no element matches \`${selector}\`` };
    const element = all.find(visible);
    if (!element) return { problem: `no element that matches \`${selector}\` is visible` };
    let point = place(element, at);
    if (!inside(point)) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      point = place(element, at);
    }
    if (!inside(point)) return { problem: `\`${selector}\` cannot be scrolled into view` };
    const hit = under(point);
    if (!hit || !(contains(element, hit) || element.control === hit || contains(hit, element))) {
      return { problem: `\`${selector}\` is covered by ${hit ? describe(hit) : "nothing that can be clicked"}` };
    }
    return point;
  };

  // Resolves with nothing once a visible element matches, or with {problem} after the limit.
  const appears = (selector, limitMs) =>
    new Promise((resolve) => {
      const there = () => [...document.querySelectorAll(selector)].some(visible);
      const end = (answer) => {
        clearTimeout(timer);
        resolve(answer);
        over = true;
      };
      let over = false;
      const timer = setTimeout(
        () => end({ problem: `no visible element matched \`${selector}\` within ${limitMs} ms` }),
        limitMs,
      );
      const look = () => {
        if (over) return;
        if (there()) end({});
        else colobus.settle.frame().then(look);
      };
      look();
    });

  // The element with the focus, also inside shadow roots and frames of the same origin.
  const focused = () => {
    let element = document.activeElement;
    for (;;) {
      const deeper = element?.shadowRoot?.activeElement ?? frameFocus(element);
      if (!deeper) return element;
      element = deeper;
    }
  };
  const frameFocus = (element) => {
    try {
      return element?.contentDocument?.activeElement ?? null;
    } catch {
      return null;
    }
  };

  // Puts the focus on the first element that matches, or on what is editable inside it.
  const focus = (selector) => {
    const found = document.querySelector(selector);
    if (!found) return { problem: `nothing to focus: no element matches \`${selector}\`` };
    const editable = "input, textarea, [contenteditable]:not([contenteditable=false]), [tabindex]";
    const holds = () => contains(found, focused());
    if (!holds()) found.focus({ preventScroll: true });
    if (!holds()) found.querySelector(editable)?.focus({ preventScroll: true });
    return holds() ? {} : { problem: `\`${selector}\` cannot get the focus` };
  };

  // Offers text to the page as a paste; true if the page did not take it and the browser has to insert it.
  const paste = (text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
    return (focused() ?? document.body ?? document.documentElement).dispatchEvent(event);
  };

  // Where the content of a frame element begins.
  const frameCorner = (selector) => {
    const element = document.querySelector(selector);
    const { left, top } = element.getBoundingClientRect();
    const { paddingLeft, paddingTop } = getComputedStyle(element);
    return { x: left + element.clientLeft + parseFloat(paddingLeft), y: top + element.clientTop + parseFloat(paddingTop) };
  };

  // Whether the page has begun to drag something since the last question, and did not forbid it.
  let begun = null;
  addEventListener("dragstart", (event) => (begun = event), true);
  const dragging = () => {
    const answer = begun !== null && !begun.defaultPrevented;
    begun = null;
    return answer;
  };

  colobus.input = { locate, appears, focused, focus, paste, frameCorner, dragging };
})(globalThis[Symbol.for("colobus")]);
