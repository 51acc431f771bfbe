// activity: whether something happened in this page since its last frame, so that the next one may bring something: observers of
// sizes and places, scrolling, what is drawn. What counts: a change of the document, input, a message, a timer or another callback
// that the page has set, an answer, something that was loaded, a font, an animation that runs, what an observer of sizes or of what is
// in view was told. What runs only after something else that is not in this list (an answer of a database) counts by the change that
// it makes.
((colobus) => {
  // Frames of the same origin count in the uppermost one, which is the one that is asked.
  const counts = colobus.above?.activity?.counts ?? { happened: 1, framed: 0 };
  const happened = () => void counts.happened++;

  // Changes ------------------------------------------------------------------------------------------------------------
  const observer = new MutationObserver(happened);
  const watch = (root) => observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  watch(document);
  colobus.wrapNative(Element.prototype, "attachShadow", {
    apply(target, self, args) {
      const root = Reflect.apply(target, self, args);
      watch(root);
      return root;
    },
  });

  // Input, messages, loads ---------------------------------------------------------------------------------------------
  const INPUT = "keydown keyup beforeinput input change compositionstart compositionupdate compositionend paste cut copy " +
    "pointerdown pointermove pointerup mousedown mousemove mouseup click dblclick wheel dragstart dragover drop " +
    "focusin focusout selectionchange scroll resize toggle submit";
  const OTHERS = "message load error readystatechange DOMContentLoaded popstate hashchange storage";
  for (const type of [...INPUT.split(" "), ...OTHERS.split(" ")]) {
    addEventListener(type, happened, { capture: true, passive: true });
  }
  document.fonts?.addEventListener("loadingdone", happened);

  // Callbacks ----------------------------------------------------------------------------------------------------------
  for (const schedule of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"]) {
    colobus.wrapNative(globalThis, schedule, {
      apply(target, self, [callback, ...rest]) {
        if (typeof callback !== "function") return Reflect.apply(target, self, [callback, ...rest]);
        const counted = function (...values) {
          happened();
          return Reflect.apply(callback, this, values);
        };
        return Reflect.apply(target, self, [counted, ...rest]);
      },
    });
  }

  // What these observers do may change nothing that is in the list above: a variable, a canvas, the text of a field.
  for (const name of ["ResizeObserver", "IntersectionObserver"]) {
    colobus.wrapNative(globalThis, name, {
      construct(target, [callback, ...rest], newTarget) {
        if (typeof callback !== "function") return Reflect.construct(target, [callback, ...rest], newTarget);
        const counted = function (...values) {
          happened();
          return Reflect.apply(callback, this, values);
        };
        return Reflect.construct(target, [counted, ...rest], newTarget);
      },
    });
    globalThis[name].prototype.constructor = globalThis[name];
  }

  const moves = () =>
    document.fonts?.status === "loading" ||
    document.getAnimations().some(({ playState, pending }) => pending || playState === "running");

  let looked = { before: 0, drawn: undefined };

  colobus.activity = {
    counts,
    happened,
    needsFrame: () => counts.happened !== counts.framed || moves(),
    // To be called with what had happened before a frame, after it.
    framed: (before) => (counts.framed = before),
    // A look begins, which draws a frame.
    look: () => (looked = { before: counts.happened, drawn: colobus.drawn() }),
    // The frame of the last look is drawn.
    lookDrawn: async () => {
      await looked.drawn;
      counts.framed = looked.before;
    },
  };
})(globalThis[Symbol.for("colobus")]);
