// discover(): what a page offers to its users, for a tool that has never seen it: where text can be written, what can be
// clicked, where can be drawn, and what stands around it.
((colobus) => {
  const GENERATED = /\d{3,}|^[:«_]r[\da-z]+[:»_]$|^[\da-f]{8,}$/i;
  const MOST = 60;
  const EDITORS = "[contenteditable]:not([contenteditable=false]), .CodeMirror, textarea, input";

  const visible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const inView = (element) => {
    const box = element.getBoundingClientRect();
    return box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  };

  const quoted = (value) => JSON.stringify(value);

  // A selector that means this element, the most specific one first: id, name-like attributes, classes, place.
  const selectorOf = (element) => {
    const tag = element.localName;
    const only = (selector) => element.ownerDocument.querySelectorAll(selector).length === 1;
    if (element.id && !GENERATED.test(element.id) && only(`#${CSS.escape(element.id)}`)) return `#${CSS.escape(element.id)}`;
    for (const name of ["data-testid", "data-command", "name", "aria-label", "title", "placeholder", "value"]) {
      const value = element.getAttribute(name);
      if (value && value.length < 60 && only(`${tag}[${name}=${quoted(value)}]`)) return `${tag}[${name}=${quoted(value)}]`;
    }
    const classes = [...element.classList].filter((name) => !GENERATED.test(name) && !/focus|active|hover|selected/i.test(name));
    for (const name of classes) if (only(`.${CSS.escape(name)}`)) return `.${CSS.escape(name)}`;
    const all = classes.map((name) => `.${CSS.escape(name)}`).join("");
    if (all && only(`${tag}${all}`)) return `${tag}${all}`;
    const parent = element.parentElement;
    if (!parent || element === element.ownerDocument.body) return tag;
    const same = [...parent.children].filter((other) => other.localName === tag);
    const place = same.length > 1 ? `:nth-of-type(${same.indexOf(element) + 1})` : "";
    return `${selectorOf(parent)} > ${tag}${place}`;
  };

  const isEditable = (element) =>
    element.isContentEditable
      ? !element.parentElement?.isContentEditable
      : (element.localName === "textarea" || (element.localName === "input" && /^(text|search|)$/.test(element.getAttribute("type") ?? ""))) && !element.readOnly && !element.disabled;

  // An editor may take its keys with a field that is hidden: the editor is what is around it.
  const editableOf = (element) => {
    const editor = element.closest(".CodeMirror");
    if (editor) return { element: editor, kind: "codemirror5" };
    if (element.closest(".cm-editor")) return { element, kind: "codemirror6" };
    if (element.isContentEditable) return { element, kind: "contenteditable" };
    return { element, kind: element.localName };
  };

  const editables = () => {
    const found = colobus.locators
      .documents(selectorOf)
      .flatMap(({ root, way }) =>
        [...root.querySelectorAll("[contenteditable], textarea, input")].filter(isEditable).map((element) => ({ ...editableOf(element), way })),
      );
    const shown = found.filter(({ element }, index) => visible(element) && found.findIndex((other) => other.element === element) === index);
    return shown.slice(0, MOST).map(({ element, kind, way }) => {
      const box = element.getBoundingClientRect();
      return { selector: way + selectorOf(element), kind, area: Math.round(box.width * box.height) };
    });
  };

  // Buttons of old toolbars have nothing but a picture: its class is the best name there is.
  const classOf = (element) => {
    const innermost = element.children.length === 1 ? classOf(element.firstElementChild) : "";
    return innermost || element.classList[element.classList.length - 1] || "";
  };
  const labelOf = (element) =>
    (element.getAttribute("aria-label") || element.title || element.innerText || element.value || classOf(element))
      .trim()
      .replace(/\s+/g, " ")
      .slice(0, 40);

  const CLICKABLE = "button, [role=button], [role=menuitem], [role=tab], [role=checkbox], input[type=button], input[type=submit], input[type=checkbox], summary";
  // Links without an address and plain elements that look clickable are what old toolbars are made of.
  const looksClickable = (element) =>
    element.children.length < 3 &&
    getComputedStyle(element).cursor === "pointer" &&
    getComputedStyle(element.parentElement ?? element).cursor !== "pointer" &&
    !element.closest("a[href]:not([href='#']):not([href^='javascript'])");

  // The items of a menu that is open may stand inside of the button that opens it.
  const itemsIn = (outer) => {
    const items = [...document.querySelectorAll("a, li, [role=menuitem], [role=option]")].filter((item) => visible(item) && inView(item) && getComputedStyle(item).cursor === "pointer");
    return outer.flatMap((button) => items.filter((item) => item !== button && button.contains(item)));
  };

  const buttons = () => {
    const plain = [...document.querySelectorAll("a, div, span, li, svg")].filter(looksClickable);
    const all = new Set([...document.querySelectorAll(CLICKABLE), ...plain]);
    const usable = [...all].filter((element) => visible(element) && inView(element) && !element.disabled && !element.parentElement?.closest(EDITORS));
    const outer = usable.filter((element) => !usable.some((other) => other !== element && other.contains(element)));
    return [...outer, ...itemsIn(outer)].slice(0, MOST).map((element) => ({ selector: selectorOf(element), label: labelOf(element) }));
  };

  const canvases = () => [...document.querySelectorAll("canvas, svg")].filter((element) => visible(element) && element.getBoundingClientRect().width > 150 && element.getBoundingClientRect().height > 100).map(selectorOf);

  // To the neighbour of what it is in: from column to column.
  const draggables = () => {
    const found = [...document.querySelectorAll("[draggable=true]")].filter((element) => visible(element) && inView(element));
    const dragged = (element) => {
      const { nextElementSibling: next, previousElementSibling: previous } = element.parentElement ?? {};
      const place = [next, previous].find((other) => other && visible(other));
      return place ? [{ selector: selectorOf(element), label: labelOf(element), to: selectorOf(place) }] : [];
    };
    return found.slice(0, MOST).flatMap(dragged);
  };

  const TOOLBAR = "[role=toolbar], [class*=toolbar], [class*=menubar]";
  const MEDIA = new Set(["img", "video", "canvas", "svg", "hr", "br", "input", "iframe"]);
  const CARET = /cursor|caret/i;
  const classed = (element) => [...element.classList].find((name) => !GENERATED.test(name));
  const isBlank = (element) => (element.textContent ?? "").replace(/[\s\u200b\u2060\ufeff]/g, "") === "";

  // What a leaf is a part of: another user's caret, a toolbar, a button. Whole texts are never a part of anything.
  const wholeOf = (leaf) => {
    let whole = null;
    for (let part = leaf; part && !part.matches(EDITORS) && !part.querySelector(EDITORS); part = part.parentElement) {
      if (CARET.test(part.className)) whole = part;
    }
    const control = leaf.closest(CLICKABLE);
    const toolbar = leaf.closest(TOOLBAR);
    return whole ?? (toolbar && !toolbar.querySelector(EDITORS) ? toolbar : null) ?? control ?? leaf;
  };

  const looks = (element) => {
    const control = element.closest(CLICKABLE);
    const { opacity, color, backgroundColor } = getComputedStyle(control ?? element);
    const state = control ? [control.className, control.ariaPressed, opacity, color, backgroundColor] : [];
    return [(element.textContent || element.value || "").trim(), element.getAttribute("style") ?? "", ...state].join(" ").trim();
  };

  // Everything that has nothing inside but text, with what it says and where it is; what belongs together as one.
  const landmarks = () => {
    const isMark = (element) => element.closest(EDITORS) && isBlank(element) && classed(element) && !MEDIA.has(element.localName);
    const there = (element) => element.getClientRects().length > 0;
    const leaves = [...document.body.querySelectorAll("*")].filter((element) => element.children.length === 0 && (isMark(element) ? there(element) : visible(element)));
    const wholes = new Map();
    for (const leaf of leaves.slice(0, 2000)) {
      const whole = wholeOf(leaf);
      wholes.set(whole, [...(wholes.get(whole) ?? []), looks(leaf)]);
    }
    return [...wholes].map(([element, says]) => {
      const box = element.getBoundingClientRect();
      const name = classed(element);
      return {
        selector: selectorOf(element),
        class: name ? `.${CSS.escape(name)}` : null,
        says: says.join(" "),
        place: [box.x, box.y, box.width, box.height].map(Math.round).join(" "),
        written: element.closest(EDITORS) !== null,
        mark: CARET.test(element.className) || Boolean(isMark(element)),
        bar: element.matches(TOOLBAR),
        control: element.matches(TOOLBAR) || element.closest(CLICKABLE) !== null,
      };
    });
  };

  colobus.discover = () => ({
    address: location.href,
    title: document.title,
    editables: editables(),
    buttons: buttons(),
    canvases: canvases(),
    draggables: draggables(),
    landmarks: landmarks(),
  });
})(globalThis[Symbol.for("colobus")]);
