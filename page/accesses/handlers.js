// Event handlers: registering one writes (target, type), an event that passes a target reads it. An event is read also
// where nothing listens: that is how a handler that comes too late shows.
((colobus) => {
  if (!colobus.nodes) return;
  const { Set, WeakSet, apply, collect, descriptor, has, isKnown, keys, know, slice, text } = colobus.kept;
  const { ADD, READ, WRITE, isObject, numberOf, touchOther } = colobus.log;

  const touchHandler = (target, type, how) => touchOther(["handler", numberOf(target), type], how);

  const add = EventTarget.prototype.addEventListener;
  const composedPath = Event.prototype.composedPath;
  const eventType = descriptor(Event.prototype, "type").get;
  const seen = new WeakSet();
  const passes = (event) => {
    if (isKnown(seen, event)) return;
    know(seen, event);
    const path = apply(composedPath, event, []);
    const type = apply(eventType, event, []);
    for (let at = 0; at < path.length; at++) touchHandler(path[at], type, READ);
  };
  const types = "abort animationend auxclick beforeinput blur cancel canplay change click close compositionend compositionstart "
    + "contextmenu copy cut dblclick DOMContentLoaded drag dragend dragenter dragleave dragover dragstart drop ended error "
    + "focus focusin focusout hashchange input invalid keydown keypress keyup load loadeddata loadedmetadata message "
    + "mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup offline online pageshow paste pause play "
    + "pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerup popstate "
    + "readystatechange reset resize scroll select selectionchange storage submit timeupdate toggle touchcancel touchend "
    + "touchmove touchstart transitionend visibilitychange wheel";
  const known = new Set(types.split(" "));
  const options = { capture: true, passive: true };
  // The load event of an image reaches the document, not the window.
  const hear = (type) => {
    apply(add, globalThis, [type, passes, options]);
    apply(add, document, [type, passes, options]);
  };
  for (const type of types.split(" ")) hear(type);

  // Two registrations commute.
  for (const [name, how] of [["addEventListener", ADD], ["removeEventListener", WRITE]]) {
    colobus.wrapPart(EventTarget.prototype, name, "value", {
      apply: (target, self, args) => {
        const type = text(args[0]);
        touchHandler(isObject(self) ? self : globalThis, type, how);
        // Listening to the end of a page keeps browsers from caching it.
        if (!has(known, type) && slice(type, -6) !== "unload" && type !== "pagehide") {
          collect(known, type);
          hear(type);
        }
        return apply(target, self, args);
      },
    });
  }

  const wrapHandlers = (owner) => {
    for (const name of keys(owner)) {
      if (typeof name !== "string" || slice(name, 0, 2) !== "on") continue;
      const type = slice(name, 2);
      const log = (how) => ({
        apply: (accessor, self, args) => {
          touchHandler(isObject(self) ? self : globalThis, type, how);
          return apply(accessor, self, args);
        },
      });
      colobus.wrapPart(owner, name, "set", log(WRITE));
      colobus.wrapPart(owner, name, "get", log(READ));
    }
  };
  wrapHandlers(globalThis);
  for (const { prototype } of colobus.nodes.interfaces.values()) {
    if (prototype instanceof EventTarget) wrapHandlers(prototype);
  }
  colobus.accesses.inPlace();
})(globalThis[Symbol.for("colobus")]);
