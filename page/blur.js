(globalThis[Symbol.for("colobus blurred")] = document.activeElement)?.blur();
// The element loses the focus, and focus.js gives it back.
