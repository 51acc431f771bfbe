// listeners: which events elements hear. Listeners are noted as they are added; handlers in attributes and properties are
// looked up; frameworks that listen at the root keep the handlers of an element where they are known to.
((colobus) => {
  const noted = new WeakMap();
  const kinds = (target) => {
    let found = noted.get(target);
    if (!found) noted.set(target, (found = new Map()));
    return found;
  };
  const change = (by) => ({
    apply(native, self, args) {
      const target = self ?? globalThis;
      const [type, listener] = args;
      if (listener && typeof type === "string") {
        const known = kinds(target);
        known.set(type, Math.max(0, (known.get(type) ?? 0) + by));
      }
      return Reflect.apply(native, self, args);
    },
  });
  colobus.wrapNative(EventTarget.prototype, "addEventListener", change(1));
  colobus.wrapNative(EventTarget.prototype, "removeEventListener", change(-1));

  // React keeps the properties of an element under a name of its own; with it, listeners at the root mean nothing.
  const reactKey = (element) => Object.keys(element).find((key) => key.startsWith("__reactProps$"));
  const REACT = { click: "onClick", dblclick: "onDoubleClick", contextmenu: "onContextMenu", keydown: "onKeyDown", keypress: "onKeyPress", keyup: "onKeyUp", input: "onInput", change: "onChange", mousedown: "onMouseDown", mouseup: "onMouseUp", pointerdown: "onPointerDown", pointerup: "onPointerUp", submit: "onSubmit", blur: "onBlur" };
  let usesReact = false;

  const inFramework = (element, type) => {
    const key = reactKey(element);
    if (key) {
      usesReact = true;
      if (typeof element[key]?.[REACT[type]] === "function") return true;
    }
    // Solid and Svelte put delegated handlers on the element.
    return typeof element[`$$${type}`] === "function" || Boolean(element[`__${type}`]);
  };

  // Whether the element itself hears the event.
  const hears = (target, type) => (noted.get(target)?.get(type) ?? 0) > 0 || typeof target[`on${type}`] === "function" || (target.nodeType === 1 && inFramework(target, type));

  // jQuery knows which descendants a listener is meant for.
  const delegatedTo = (target, type) => {
    const events = globalThis.jQuery?._data?.(target, "events");
    const selectors = (events?.[type] ?? []).map((handler) => handler.selector).filter(Boolean);
    return selectors.length ? selectors.join(",") : null;
  };

  colobus.listeners = { hears, delegatedTo, usesReact: () => usesReact };
})(globalThis[Symbol.for("colobus")]);
