// touched(locators): what page code has read and written since it was asked last, as accesses.take() tells it. Given the locators of
// a user's step, also what the browser itself read and changed in it. For pages between whose events nothing calls begin().
((colobus) => {
  if (!colobus.nodes) return;
  const { READ, UPDATE, WRITE, touchOther } = colobus.log;
  const { touchNode } = colobus.nodes;
  const { aside, take } = colobus.accesses;
  const { apply } = colobus.kept;

  const whereUsersAre = ["anchorNode", "anchorOffset", "focusNode", "focusOffset", "isCollapsed", "rangeCount", "type"];
  const touchSelection = (how) => {
    const selection = aside(() => getSelection());
    if (!selection) return;
    for (const name of whereUsersAre) touchNode(selection, name, how, null);
  };
  const touchFocus = (how) => touchNode(document, "activeElement", how, null);

  // The files of accesses/ leave these out: between events of one page a focus is part of what the event does.
  for (const name of ["focus", "blur"]) {
    colobus.wrapPart(HTMLElement.prototype, name, "value", {
      apply: (target, self, args) => (touchFocus(WRITE), touchSelection(WRITE), apply(target, self, args)),
    });
  }
  colobus.wrapPart(Selection.prototype, "getRangeAt", "value", {
    apply: (target, self, args) => (touchSelection(READ), apply(target, self, args)),
  });
  for (const name of ["addRange", "collapse", "collapseToEnd", "collapseToStart", "empty", "extend", "modify", "removeAllRanges",
    "removeRange", "selectAllChildren", "setBaseAndExtent", "setPosition"]) {
    colobus.wrapPart(Selection.prototype, name, "value", {
      apply: (target, self, args) => (touchSelection(WRITE), apply(target, self, args)),
    });
  }

  // What Colobus itself looks at is no access of the page. Functions that make something happen in the page are not among these.
  const unlogged = (owner, names) => {
    for (const name of names) {
      const own = owner?.[name];
      if (own) owner[name] = (...args) => aside(() => own(...args));
    }
  };
  unlogged(colobus.input, ["locate", "located", "shown", "appears", "focused"]);
  unlogged(colobus.caret, ["read"]);
  unlogged(colobus, ["canonicalDom", "visibleText", "textAside", "carets", "frameCorner"]);
  const { look } = colobus;
  if (look) {
    // It comes to rest in several tasks, while nothing else happens in the page.
    colobus.look = async (options) => {
      const shown = await look(options);
      take();
      return shown;
    };
  }

  const acted = (locators) => {
    for (const locator of locators) {
      try {
        document.querySelectorAll(locator);
      } catch {
        // No selector: what it finds may depend on anything in the document.
        touchOther(["query", "any"], READ, null);
      }
      const target = aside(() => colobus.locators.find(locator).elements[0]);
      if (!target) continue;
      touchNode(target, "@disabled", READ, null);
      for (const name of ["value", "checked"]) touchNode(target, name, UPDATE, null);
    }
    const active = aside(() => document.activeElement);
    if (active && active !== document.body) {
      for (const name of ["value", "selectionStart", "selectionEnd", "tree"]) touchNode(active, name, UPDATE, null);
    }
    touchFocus(UPDATE);
    touchSelection(UPDATE);
  };

  colobus.touched = (locators) => {
    if (locators) acted(locators);
    // The scripts of frames have logs of their own.
    if (globalThis.length > 0) touchOther(["anything"], UPDATE, null);
    return take();
  };
})(globalThis[Symbol.for("colobus")]);
