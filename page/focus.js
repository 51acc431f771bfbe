globalThis[Symbol.for("colobus blurred")]?.focus({ preventScroll: true });
// The element that blur.js took the focus from has it again.
