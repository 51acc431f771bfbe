// glance: what a page looks like at a moment: its shape, what its fields hold, whether there is anything to see at all; and
// the element that somebody might hit instead of the one that was found last.
((colobus) => {
  const MOST = 5000;
  const REACH = 150;
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
      return { key: key + same, label: colobus.element.label(field) || key, value: value(field) };
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

  colobus.glance = { look, boxes };
  colobus.player.neighbour = neighbour;
})(globalThis[Symbol.for("colobus")]);
