// glance: what a page looks like at a moment: its shape, what its fields hold, whether there is anything to see at all; and
// the element that a user might hit instead of the one that was found last.
((colobus) => {
  const MOST = 5000;
  const REACH = 150;
  const BEYOND = 3;
  const FIELDS = "input:not([type=hidden], [type=submit], [type=button], [type=reset], [type=image], [type=file]), textarea, select, [contenteditable=''], [contenteditable=true]";
  const THINGS = "img, canvas, svg, video, iframe, input, button, select, textarea";

  const visible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };

  const shape = () => {
    const elements = [...(document.body?.querySelectorAll("*:not(script, style, template)") ?? [])].slice(0, MOST);
    return elements.map((element) => `${element.parentElement.localName}>${element.localName}${element.id ? `#${element.id}` : ""}`);
  };

  const value = (field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked ? "on" : "";
    return field.value ?? field.textContent;
  };
  const fields = () =>
    [...document.querySelectorAll(FIELDS)].map((field, index) => {
      const same = field.type === "radio" ? ` ${field.value}` : "";
      const key = field.getAttribute("name") || field.id || `${field.localName} ${index + 1}`;
      return { key: key + same, label: String(colobus.element.label(field) || key), value: String(value(field) ?? "") };
    });

  const blank = () => !document.body || (document.body.innerText.trim() === "" && ![...document.querySelectorAll(THINGS)].some(visible));

  const look = () => ({ url: location.href, shape: shape(), fields: fields(), blank: blank() });

  // The nearest one that is alike and in reach of a slip.
  const neighbour = () => {
    const element = colobus.player.found();
    const middle = (of) => {
      const box = of.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(element);
    const distance = (other) => Math.hypot(middle(other)[0] - x, middle(other)[1] - y);
    const alike = [...element.getRootNode().querySelectorAll(CSS.escape(element.localName))].filter(
      (other) => other !== element && other.type === element.type && !element.contains(other) && !other.contains(element) && visible(other) && !other.matches(":disabled") && distance(other) < REACH,
    );
    const nearest = alike.sort((one, other) => distance(one) - distance(other))[0];
    return nearest ? colobus.element.describe(nearest) : null;
  };

  const boxes = (selector) =>
    [...document.querySelectorAll(selector)].map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left, top, width, height];
    });

  // Where any of these texts can be read: in fields, and as text, also within shadow roots and frames of the same origin.
  const readable = (texts) => {
    const found = [];
    const holds = (text) => texts.some((wanted) => wanted !== "" && String(text ?? "").includes(wanted));
    // Letters reach a little beyond their boxes.
    const add = ({ left, top, width, height }, x, y) => {
      if (width > 0 && height > 0) found.push([left + x - BEYOND, top + y - BEYOND, width + 2 * BEYOND, height + 2 * BEYOND]);
    };
    const visit = (root, x, y) => {
      const walker = (root.ownerDocument ?? root).createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let node = walker.currentNode; node; node = walker.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) {
          if (!holds(node.data)) continue;
          const range = node.ownerDocument.createRange();
          range.selectNodeContents(node);
          for (const box of range.getClientRects()) add(box, x, y);
        } else if (node.nodeType === Node.ELEMENT_NODE) {
          const box = node.getBoundingClientRect();
          // What is split over several elements is hidden with the innermost one that has all of it.
          const split = holds(node.textContent) && ![...node.childNodes].some((child) => holds(child.textContent));
          const written = [...node.attributes].some((attribute) => ["value", "placeholder", "alt", "content"].includes(attribute.name) && holds(attribute.value));
          if (holds(node.value) || split || written || node.type === "password") add(box, x, y);
          const shadow = colobus.element.shadowOf(node);
          if (shadow) visit(shadow, x, y);
          let inner = null;
          try {
            inner = node.contentDocument;
          } catch {
            // Of another origin: it got no secret.
          }
          if (inner?.documentElement) visit(inner.documentElement, x + box.left + node.clientLeft, y + box.top + node.clientTop);
        }
      }
    };
    if (document.documentElement) visit(document.documentElement, 0, 0);
    return found;
  };

  colobus.glance = { look, boxes, readable };
  colobus.player.neighbour = neighbour;
})(globalThis[Symbol.for("colobus")]);
