// Every event that listeners of the page see, in the order in which they see it. Frames and pop-ups tell who made them.
const told = () => JSON.parse(sessionStorage.getItem("log") ?? "[]");
const note = (entry) => {
  const above = parent === window ? opener : parent;
  if (above) above.postMessage({ log: { ...entry, from: parent === window ? "pop-up" : "frame" } }, "*");
  else sessionStorage.setItem("log", JSON.stringify([...told(), entry]));
};
addEventListener("message", ({ data }) => data.log && note(data.log));
if (parent === window) addEventListener("pageshow", () => note({ type: "pageshow", on: location.pathname, data: performance.getEntriesByType("navigation")[0]?.type }));
addEventListener("popstate", () => note({ type: "popstate", data: location.search }));

const TYPES = ["mousedown", "mousemove", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "keydown", "keyup", "beforeinput", "input", "change", "compositionstart", "compositionupdate", "compositionend", "copy", "cut", "paste", "dragstart", "dragenter", "drop", "dragend", "submit"];
const PLACED = /^(mouse|click|dblclick|auxclick|drop)/;
const heard = (event) => {
  const { type, target } = event;
  // Nobody hears a mouse that only passes by.
  if (type === "mousemove" && !event.buttons) return;
  const box = target.getBoundingClientRect?.() ?? { left: 0, top: 0 };
  const place = PLACED.test(type) ? [Math.round(event.clientX - box.left), Math.round(event.clientY - box.top)] : undefined;
  const held = ["altKey", "ctrlKey", "metaKey", "shiftKey"].filter((name) => event[name]);
  const { key, code, keyCode, data, inputType, button, repeat } = event;
  note({ type, trusted: event.isTrusted, on: target.dataset?.name ?? target.id ?? target.localName, key, code, keyCode, repeat, data, inputType, button, detail: /^(mouse|click)/.test(type) ? event.detail : undefined, held, place, pasted: event.clipboardData?.getData("text/plain") });
};
const roots = [];
const watch = (root) => {
  roots.push(root);
  TYPES.forEach((type) => root.addEventListener(type, heard));
};
watch(document);

// Where clocks are exact: how long it takes until the page hears of an event, since the event right before it that no recorder
// listens to.
globalThis.gaps = [];
if (crossOriginIsolated) {
  for (const [before, after] of [["pointerdown", "mousedown"], ["pointerup", "mouseup"], ["pointermove", "mousemove"], ["keypress", "beforeinput"]]) {
    let since = null;
    addEventListener(before, () => (since = performance.now()));
    const measure = () => {
      if (since !== null) gaps.push(performance.now() - since);
      since = null;
    };
    addEventListener(after, measure, true);
  }
}

const form = (element) => {
  if (/^(checkbox|radio)$/.test(element.type)) return element.checked;
  if (element.type === "file") return [...element.files].map((file) => file.name);
  if (element.multiple) return [...element.selectedOptions].map((option) => option.value);
  return element.value ?? element.innerHTML;
};
const state = () => ({
  fields: Object.fromEntries([...document.querySelectorAll("input, textarea, select, [contenteditable]")].map((element) => [element.dataset.name ?? element.id, form(element)])),
  texts: [...document.querySelectorAll("#answers, #target, [contenteditable]")].map((element) => element.innerHTML),
  scrolled: document.getElementById("scroller")?.scrollTop,
});
if (parent === window) addEventListener("pagehide", () => note({ type: "pagehide", on: location.pathname, data: state() }));
// Where a widget is in the window of its frame, for those who bring their own mouse.
globalThis.spot = (name) => {
  const element = roots.map((root) => root.querySelector(`[data-name="${name}"]`)).find(Boolean);
  const inside = ({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  if (element && !inside(element.getBoundingClientRect())) element.scrollIntoView({ block: "center" });
  // What a menu hides is reached through what shows it.
  let shown = element;
  while (shown && !shown.getClientRects().length) shown = shown.parentElement;
  return element && { ...shown.getBoundingClientRect().toJSON(), hidden: shown !== element };
};
// Everything that replaying has to bring back.
globalThis.outcome = () => ({ log: told(), ...state() });
