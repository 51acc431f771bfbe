// Every event that listeners of the page see, in the order in which they see it. Frames tell their parents.
const log = JSON.parse(sessionStorage.getItem("log") ?? "[]");
const note = (entry) => {
  if (parent !== window) return parent.postMessage({ log: entry }, "*");
  log.push(entry);
  sessionStorage.setItem("log", JSON.stringify(log));
};
addEventListener("message", ({ data }) => data.log && note({ ...data.log, frame: true }));

const TYPES = ["mousedown", "mouseup", "click", "dblclick", "contextmenu", "keydown", "keyup", "beforeinput", "input", "change", "compositionstart", "compositionupdate", "compositionend", "paste", "dragstart", "drop", "submit"];
const watch = (root) => {
  for (const type of TYPES) {
    root.addEventListener(type, (event) => {
      const { target } = event;
      const box = target.getBoundingClientRect?.() ?? { left: 0, top: 0 };
      const place = event.clientX === undefined || event.type === "contextmenu" ? undefined : [Math.round(event.clientX - box.left), Math.round(event.clientY - box.top)];
      const held = ["altKey", "ctrlKey", "metaKey", "shiftKey"].filter((name) => event[name]);
      note({ type, trusted: event.isTrusted, on: target.dataset?.name ?? target.id ?? target.localName, key: event.key, code: event.code, keyCode: event.keyCode, data: event.data, inputType: event.inputType, button: event.button, detail: type.startsWith("mouse") || type === "click" ? event.detail : undefined, held, place, pasted: event.clipboardData?.getData("text/plain") });
    });
  }
};
watch(document);

const form = (element) => (element.type === "checkbox" || element.type === "radio" ? element.checked : element.type === "file" ? [...element.files].map((file) => file.name) : (element.value ?? element.innerHTML));
// Everything that replaying has to bring back.
globalThis.outcome = () => ({
  log,
  fields: Object.fromEntries([...document.querySelectorAll("input, textarea, select, [contenteditable]")].map((element) => [element.dataset.name ?? element.id, form(element)])),
  dialogs: document.getElementById("answers")?.textContent,
  list: document.getElementById("target")?.textContent,
  scrolled: document.getElementById("scroller")?.scrollTop,
});
