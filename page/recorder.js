// recorder: tells the driver what the user does in this document. It listens in the capture phase of the window, before
// anybody else, and leaves every event alone. What is typed into secret fields never leaves this file, unless traffic is
// recorded as well: then the driver is told, in order to remove it from the traffic, and forgets it afterwards.
((colobus) => {
  const { describe, shadowOf } = colobus.element;
  const binding = globalThis[colobus.settings.binding];
  delete globalThis[colobus.settings.binding];
  const costs = [];
  const origin = performance.timeOrigin;
  const tell = (kind, more) => binding(JSON.stringify({ kind, time: origin + performance.now(), ...more }));

  // Secrets -------------------------------------------------------------------------------------------------------------
  const SECRET = /^(current-password|new-password|one-time-code|cc-.*)$/;
  const selector = ["input[type=password]", ...colobus.settings.redact].join(", ");
  // A password stays one when it is shown.
  const once = new WeakSet();
  const has = (element) => {
    for (let node = element; node; node = node.parentElement) {
      const tokens = (node.getAttribute?.("autocomplete") ?? "").toLowerCase().split(/\s+/);
      if (once.has(node) || node.matches(selector) || tokens.some((token) => SECRET.test(token))) {
        once.add(node);
        return true;
      }
    }
    return false;
  };
  colobus.secrets = { selector, has };
  // Keys go into it although it takes none by itself: somewhere behind a closed door there is a field, perhaps a secret one.
  const sealed = (element) =>
    element.getRootNode().activeElement === element && element.tabIndex < 0 && !element.hasAttribute("tabindex") &&
    !element.isContentEditable && ![document.body, document.documentElement].includes(element);
  const hides = (element) => has(element) || sealed(element);
  const secret = (element) => tell("secret", { on: describe(element), field: element.getAttribute("name") ?? "" });

  // Elements ------------------------------------------------------------------------------------------------------------
  const deepest = (start, next) => {
    let element = start;
    for (;;) {
      const inner = element && shadowOf(element) ? next(shadowOf(element)) : null;
      if (!inner || inner === element) return element;
      element = inner;
    }
  };
  const asElement = (node) => (node?.nodeType === 1 ? node : (node?.parentElement ?? node?.documentElement ?? document.documentElement));
  const pointed = (event) => deepest(asElement(event.composedPath()[0]), (root) => root.elementFromPoint(event.clientX, event.clientY));
  const focused = (event) => deepest(asElement(event.composedPath()[0]), (root) => root.activeElement);
  const within = (element, event) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const held = (event) => (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

  // Chromium itself does not trust the end of its compositions.
  const believed = (event) => event.isTrusted || (event.type === "compositionend" && composition !== null);
  const listeners = [];
  const listen = (type, react) => {
    listeners.push([
      type,
      (event) => {
        if (!believed(event)) return;
        const begin = performance.now();
        react(event);
        costs.push(performance.now() - begin);
        if (costs.length > 5000) costs.shift();
      },
    ]);
  };
  let attached = null;
  const attach = () => {
    const own = {};
    attached = own;
    for (const [type, hear] of listeners) window.addEventListener(type, (event) => attached === own && hear(event), { capture: true, passive: true });
  };

  // Mouse ---------------------------------------------------------------------------------------------------------------
  let press = null;
  let list = null;
  const mouse = (event, element) => ({ on: describe(element), at: within(element, event), button: event.button, held: held(event) });
  const opensList = (element) => element.localName === "select" && !element.multiple && element.size < 2;
  listen("mousedown", (event) => {
    const element = pointed(event);
    // The list of a select element is no part of the page: what was chosen is told when it is known.
    list = opensList(element) && event.button === 0 ? { element, at: within(element, event) } : null;
    if (list) return;
    press = { x: event.clientX, y: event.clientY, button: event.button, count: Math.max(1, event.detail) };
    tell("press", { ...mouse(event, element), count: press.count });
  });
  listen("mousemove", (event) => {
    if (!press || !event.buttons || !(event.movementX || event.movementY)) return;
    press.by = [event.clientX - press.x, event.clientY - press.y];
    tell("move", { by: press.by });
  });
  // While the browser itself drags, the mouse is heard of in another way, and also when it rests.
  listen("dragover", (event) => {
    const by = press && [event.clientX - press.x, event.clientY - press.y];
    if (!by || String(by) === String(press.by)) return;
    press.by = by;
    tell("move", { by });
  });
  const release = (event, kind) => {
    if (!press || (kind === "release" && event.button !== press.button)) return;
    const told = mouse(event, pointed(event));
    tell(kind, { ...told, button: press.button, count: press.count });
    press = null;
  };
  // The middle button pastes by itself on some systems, at once.
  let byMiddle = false;
  listen("mouseup", (event) => {
    byMiddle = event.button === 1;
    colobus.native.setTimeout(() => (byMiddle = false), 0);
    release(event, "release");
  });
  let dropped = false;
  listen("dragstart", () => (dropped = false));
  listen("drop", (event) => {
    dropped = true;
    if (!press) press = { button: 0, count: 1 };
    release(event, "drop");
  });
  listen("dragend", () => {
    if (!dropped && press) tell("abandon", {});
    press = null;
  });

  // Keys and text -------------------------------------------------------------------------------------------------------
  const KEPT_IN_SECRETS = new Set(["Tab", "Enter", "Escape", "Shift", "Control", "Alt", "Meta"]);
  let downs = new Set();
  // The element into which a key goes at the moment: what the key writes needs no line of its own.
  let byKey = false;
  const keyboard = (kind) => (event) => {
    if (event.isComposing || event.key === "Process" || event.keyCode === 229) return;
    const element = focused(event);
    byKey = kind === "down";
    if (kind === "up" && !downs.delete(event.code + event.key)) {
      if (!event.code || ![...downs].some((down) => down.startsWith(event.code) && event.code)) return;
      for (const down of downs) if (down.startsWith(event.code)) downs.delete(down);
    }
    if (kind === "down") downs.add(event.code + event.key);
    const writes = event.key.length === 1;
    if ((has(element) && !KEPT_IN_SECRETS.has(event.key)) || (writes && sealed(element))) {
      if (kind === "down") secret(element);
      return;
    }
    tell(kind, { on: describe(element), key: [event.key, event.code, event.keyCode], held: held(event), again: event.repeat });
  };
  listen("keydown", keyboard("down"));
  listen("keyup", keyboard("up"));

  let composition = null;
  listen("compositionstart", (event) => (composition = { element: focused(event), stages: [] }));
  listen("compositionupdate", (event) => composition?.stages.push(event.data));
  listen("compositionend", (event) => {
    if (!composition) return;
    const { element, stages } = composition;
    composition = null;
    if (hides(element)) return secret(element);
    if (stages.at(-1) === event.data) stages.pop();
    tell("compose", { on: describe(element), stages, commit: event.data });
    // What is written because of it comes at once.
    byKey = true;
    colobus.native.setTimeout(() => (byKey = false), 0);
  });
  listen("paste", (event) => {
    const element = focused(event);
    if (byMiddle) return;
    if (hides(element)) return secret(element);
    const html = event.clipboardData?.getData("text/html");
    tell("clipboard", { text: event.clipboardData?.getData("text/plain") ?? "", html: html || null });
    if (!byKey) tell("paste", { on: describe(element) });
  });
  listen("beforeinput", (event) => {
    if (composition || byKey || !/^insert(Text|ReplacementText|FromDictation|Transpose)$/.test(event.inputType)) return;
    const element = focused(event);
    if (hides(element)) return secret(element);
    const text = event.data ?? event.dataTransfer?.getData("text/plain");
    if (text) tell("insert", { on: describe(element), text });
  });

  // Fields --------------------------------------------------------------------------------------------------------------
  const PICKED = /^(date|time|datetime-local|month|week|color)$/;
  listen("input", (event) => {
    const element = focused(event);
    if (colobus.settings.hides && has(element)) {
      tell("hide", { field: element.getAttribute("name") ?? "", value: element.value ?? element.textContent });
    }
    if (element.localName === "select" && list?.element === element) {
      tell("choose", { on: describe(element), at: list.at, values: [...element.selectedOptions].map((option) => option.value) });
      list = null;
    } else if (element.localName === "input" && PICKED.test(element.type) && !byKey) {
      if (has(element)) secret(element);
      else tell("set", { on: describe(element), value: element.value });
    }
  });
  listen("change", (event) => {
    const element = focused(event);
    if (element.localName === "input" && element.type === "file") tell("files", { on: describe(element), names: [...element.files].map((file) => file.name) });
  });
  listen("keyup", () => (byKey = false));
  listen("mousedown", () => (byKey = false));

  // Scrolling: only what the user did with a wheel or a scroll bar, once it has come to rest ------------------------------
  let scrolling = false;
  listen("wheel", () => (scrolling = true));
  listen("mousedown", (event) => (scrolling ||= event.offsetX > pointed(event).clientWidth + 1));
  listen("scrollend", (event) => {
    if (!scrolling) return;
    scrolling = false;
    const element = event.target === document ? document.documentElement : asElement(event.composedPath()[0]);
    tell("scroll", { on: describe(element), to: [element.scrollLeft, element.scrollTop] });
  });

  // Where page code goes by itself, it is not the user who does.
  for (const name of ["back", "forward", "go"]) {
    colobus.wrapNative(History.prototype, name, {
      apply(target, self, args) {
        tell("leaving", {});
        return Reflect.apply(target, self, args);
      },
    });
  }

  attach();
  // costs: the milliseconds that each event has cost so far. attach: the first document of a pop-up hands its window on to
  // the second without its listeners; those of an earlier call fall silent.
  colobus.recorder = { costs: () => costs, attach };
})(globalThis[Symbol.for("colobus")]);
