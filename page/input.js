// input: what trusted input needs to know before it happens: where an element is, what has the focus, whether it is there.
((colobus) => {
  const { native } = colobus;

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

  const under = (root, { x, y }) => {
    let found = root.elementFromPoint(x, y);
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

  // The frames between this document and an element, innermost first.
  const framesAround = (element) => {
    const frames = [];
    let view = element.ownerDocument.defaultView;
    while (view && view !== globalThis && view.frameElement) {
      frames.push(view.frameElement);
      view = view.frameElement.ownerDocument.defaultView;
    }
    return frames;
  };

  // What lies over a place in an element, if it is not the element: looked for in every document on the way to it.
  const cover = (element, local) => {
    let inner = element;
    let point = local;
    for (const frame of [...framesAround(element), null]) {
      const hit = under(inner.ownerDocument, point);
      if (!hit || !(contains(inner, hit) || inner.control === hit || contains(hit, inner))) {
        return hit ? describe(hit) : "nothing that can be clicked";
      }
      if (!frame) break;
      const corner = colobus.frameCorner(frame);
      point = { x: point.x + corner.x, y: point.y + corner.y };
      inner = frame;
    }
    return null;
  };

  // A place in the document of an element as a place in this document.
  const here = (element, { x, y }) =>
    framesAround(element)
      .map(colobus.frameCorner)
      .reduce((sum, corner) => ({ x: sum.x + corner.x, y: sum.y + corner.y }), { x, y });

  // The first visible element of a CSS selector; the only visible one of what users see.
  const pick = (locator) => {
    const { elements, strict } = colobus.locators.find(locator);
    if (elements.length === 0) return { problem: `no element matches \`${locator}\`` };
    const shown = elements.filter(visible);
    if (shown.length === 0) return { problem: `no element that matches \`${locator}\` is visible` };
    if (strict && shown.length > 1) {
      const some = shown.slice(0, 5).map(describe).join(", ");
      return { problem: `\`${locator}\` matches ${shown.length} elements: ${some}${shown.length > 5 ? ", …" : ""}` };
    }
    return { element: shown[0], others: shown.length - 1 };
  };

  // The middle of the element that a locator means, or the place {x, y} in it: {x, y, others} in the page, or {problem}. `others`: how
  // many further elements it matches.
  const locate = (locator, at = null) => {
    const { element, others, problem } = pick(locator);
    if (problem) return { problem };
    let local = place(element, at);
    if (!inside(here(element, local))) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      local = place(element, at);
    }
    const point = here(element, local);
    if (!inside(point)) return { problem: `\`${locator}\` cannot be scrolled into view` };
    const covered = cover(element, local);
    return covered ? { problem: `\`${locator}\` is covered by ${covered}` } : { ...point, others };
  };

  // Whether a user could click on the element, as far as it shows without scrolling to it: nothing, or {problem}.
  const offered = (locator) => {
    const { element, problem } = pick(locator);
    if (problem) return { problem };
    const local = place(element, null);
    const covered = inside(here(element, local)) && cover(element, local);
    return covered ? { problem: `\`${locator}\` is covered by ${covered}` } : {};
  };

  // Whether a visible element matches: nothing, or {problem}.
  const shown = (locator) =>
    colobus.locators.find(locator).elements.some(visible) ? {} : { problem: `no visible element matches \`${locator}\`` };

  // Looks again with every frame, until there is no {problem} or the limit is over.
  const lookAgain = async (look, limitMs) => {
    const deadline = native.now() + limitMs;
    for (;;) {
      const answer = look();
      if (!answer.problem || native.now() >= deadline) return answer;
      await colobus.drawn();
    }
  };

  // What `locate` answers, once it has no problem or after the limit.
  const located = (locator, at, limitMs) => lookAgain(() => locate(locator, at), limitMs);

  // Resolves with nothing once a visible element matches, or with {problem} after the limit.
  const appears = async (locator, limitMs) => {
    const { problem } = await lookAgain(() => shown(locator), limitMs);
    return problem ? { problem: `no visible element matched \`${locator}\` within ${limitMs} ms` } : {};
  };

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
  const focus = (locator) => {
    const [found] = colobus.locators.find(locator).elements;
    if (!found) return { problem: `nothing to focus: no element matches \`${locator}\`` };
    const editable = "input, textarea, [contenteditable]:not([contenteditable=false]), [tabindex]";
    const holds = () => contains(found, focused());
    if (!holds()) found.focus({ preventScroll: true });
    if (!holds()) found.querySelector(editable)?.focus({ preventScroll: true });
    return holds() ? {} : { problem: `\`${locator}\` cannot get the focus` };
  };

  // Offers text to the page as a paste; true if the page did not take it and the browser has to insert it.
  const paste = (text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
    return (focused() ?? document.body ?? document.documentElement).dispatchEvent(event);
  };

  // Whether the page has begun to drag something since the last question, and did not forbid it.
  let begun = null;
  addEventListener("dragstart", (event) => (begun = event), true);
  const dragging = () => {
    const answer = begun !== null && !begun.defaultPrevented;
    begun = null;
    return answer;
  };

  colobus.input = { offered, locate, located, shown, appears, focused, focus, paste, dragging };
})(globalThis[Symbol.for("colobus")]);
