// keys: pressing a key by script. Which key it is, is a parameter of the event.
((colobus) => {
  const { apply, pair, constant, variable } = colobus.symbolic;
  const { propertiesOf, elements } = colobus.concolic;
  // Of those that the program's code names.
  const MOST_CHARACTERS = 12;
  const CODES = { Enter: 13, Escape: 27, Backspace: 8, Delete: 46, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, " ": 32 };
  // In a field they write nothing.
  const SILENT = ["Enter", "Escape", "ArrowUp", "ArrowDown"];
  const isField = (element) => /^(input|textarea|select)$/.test(element.localName) || element.isContentEditable;
  const of = (element) => (isField(element) ? SILENT : [...Object.keys(CODES), ...elements.read("key ").slice(0, MOST_CHARACTERS)]);

  const code = (key) => CODES[key] ?? key.toUpperCase().charCodeAt(0);
  const codeName = (key) => (/^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key === " " ? "Space" : key);
  const event = (type, key, keys, isFollowed) => {
    const made = new KeyboardEvent(type, { key, code: codeName(key), keyCode: code(key), which: code(key), bubbles: true, cancelable: true, composed: true, view: globalThis });
    if (isFollowed) {
      const pressed = variable("value", ["text"], { event: 0 });
      const number = keys.reduceRight((rest, one) => rest && apply("conditional", apply("same", pressed, constant(one)), constant(code(one)), rest), constant(0));
      const all = propertiesOf(made);
      all.set("key", pair(key, pressed));
      for (const name of ["keyCode", "which"]) all.set(name, pair(made[name], number));
    }
    return made;
  };

  // Enter sends a form, and presses a button.
  const enter = (element) => {
    const { form } = element;
    if (/^(button|a)$/.test(element.localName)) return element.click();
    if (!form || element.localName !== "input") return;
    const button = [...form.elements].find((part) => part.type === "submit" || part.type === "image");
    const fields = [...form.elements].filter((part) => part.localName === "input" && !/^(hidden|checkbox|radio|button|reset)$/.test(part.type));
    if (button) button.disabled || button.click();
    else if (fields.length === 1) form.requestSubmit();
  };
  const press = (element, key, isFollowed) => {
    // What had the focus does not hear of a key on the page as a whole.
    if (element === document.body) document.activeElement?.blur?.();
    else element.focus?.();
    const keys = of(element);
    const isLetThrough = element.dispatchEvent(event("keydown", key, keys, isFollowed)) && (key.length > 1 && key !== "Enter" ? true : element.dispatchEvent(event("keypress", key, keys, isFollowed)));
    if (isLetThrough && key === "Enter") enter(element);
    (element.isConnected ? element : document.body).dispatchEvent(event("keyup", key, keys, isFollowed));
  };

  colobus.concolic.keys = { of, press };
})(globalThis[Symbol.for("colobus")]);
