// offers: what a user can do in the page: elements that hear something, or do something by themselves, and can be reached.
((colobus) => {
  const { describe } = colobus.element;
  const { hears, delegatedTo, usesReact } = colobus.listeners;
  const MOST = 400;
  const LONGEST = 60;

  const CLICKS = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"];
  // The mouse goes to an element before it is clicked, and leaves it for the next one.
  const HOVERS = ["mouseenter", "mouseover", "mousemove", "mouseleave", "mouseout", "pointerenter", "pointerover", "pointermove", "pointerleave", "pointerout"];
  const KEYS = ["keydown", "keypress", "keyup"];
  const LEAVES = ["change", "blur", "focusout"];
  const TYPED = /^(text|search|url|tel|email|password|number)$/;
  const PICKED = /^(date|time|datetime-local|month|week|color|range)$/;
  // What people take for something to click.
  const INTERACTIVE = "button, a[href], summary, label, option, input, select, textarea, [role], [tabindex], [onclick], [data-action], [data-id], li, td, th, img, svg";

  const visible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  };
  const enabled = (element) => !element.matches(":disabled") && element.getAttribute("aria-disabled") !== "true";

  const all = (root, found = []) => {
    for (const element of root.querySelectorAll("*")) {
      found.push(element);
      if (element.shadowRoot) all(element.shadowRoot, found);
    }
    return found;
  };

  // Whether clicking leads somewhere without any handler, and stays in the application.
  const acts = (element) => {
    if (element.localName === "a" && element.hasAttribute("href")) {
      const { protocol, origin } = element;
      return /^https?:$/.test(protocol) && origin === location.origin && !element.hasAttribute("download") && (!element.target || element.target === "_self");
    }
    if (element.localName === "summary") return true;
    if (element.localName === "input") return /^(checkbox|radio|submit|image|reset)$/.test(element.type);
    return element.localName === "button" && element.form !== null && element.type !== "button";
  };

  const leaves = (element) => element.localName === "a" && element.hasAttribute("href") && !acts(element) && !/^(javascript:|#)/.test(element.getAttribute("href"));

  // Elements that an ancestor's listener is probably meant for.
  const delegated = (elements, types) => {
    const found = new Set();
    const roots = [document, document.body, document.documentElement, globalThis, ...elements];
    for (const root of roots) {
      const type = types.find((type) => root && hears(root, type));
      if (!type) continue;
      const top = root === globalThis || root === document;
      if (usesReact() && (top || root.id === "root" || root === document.body)) continue;
      const scope = top ? document.documentElement : root;
      const selector = delegatedTo(root, type);
      const inside = [...scope.querySelectorAll(selector ?? INTERACTIVE)];
      const pointed = selector ? [] : [...scope.querySelectorAll("*")].filter((element) => getComputedStyle(element).cursor === "pointer" && getComputedStyle(element.parentElement ?? element).cursor !== "pointer");
      for (const element of [...inside, ...pointed]) found.add(element);
    }
    return found;
  };

  // Whether a listener of an ancestor hears what happens in the element. The root of React hears everything.
  const heardAbove = (element, types) => {
    for (let above = element.parentElement; above && !(usesReact() && above.id === "root"); above = above.parentElement) {
      if (above !== document.documentElement && above !== document.body && types.some((type) => hears(above, type))) return true;
    }
    return false;
  };

  const text = (value) => [...String(value ?? "")].slice(0, LONGEST).join("");
  const name = (described, element) => text(described.label || described.text || element.getAttribute("name") || element.id || "");

  // Elements that can be dragged: those that the browser carries, those that hear the button, and, where the whole document hears it,
  // what hears clicks or is called as such things are. Of those that are called alike two are enough. Each goes to the place of another,
  // far away, so that it leaves the list that it is in.
  const PRESSES = ["mousedown", "pointerdown"];
  const FIXED = /^(html|body|button|input|select|textarea|option|a|label|summary|svg|path)$/;
  const MOVABLE = [/drag|handle|grab|sort/i, /item|card|head|title|node|block|tile/i];
  const MOST_DRAGS = 12;
  const called = (element) => `${element.localName} ${element.getAttribute("class") ?? ""}`;
  const rank = (element) => {
    const found = MOVABLE.findIndex((name) => name.test(element.getAttribute("class") ?? ""));
    return found < 0 ? MOVABLE.length : found;
  };
  const far = (one, other) => {
    const [from, to] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return Math.hypot(from.x - to.x, from.y - to.y);
  };
  const drags = (elements, clickable) => {
    const everywhere = [globalThis, document, document.documentElement, document.body].some((root) => root && PRESSES.some((type) => hears(root, type)));
    const isMeant = (element) => clickable.has(element) || hears(element, "click") || rank(element) < MOVABLE.length;
    const isDragged = (element) => element.draggable || PRESSES.some((type) => hears(element, type)) || (everywhere && isMeant(element));
    const movable = elements.filter((element) => !FIXED.test(element.localName) && isDragged(element) && visible(element));
    const takes = elements.filter((element) => ["drop", "dragover", "dragenter"].some((type) => hears(element, type)) && visible(element));
    const counts = new Map();
    const isFew = (element) => counts.set(called(element), (counts.get(called(element)) ?? 0) + 1).get(called(element)) <= 2;
    const moved = movable.filter(isFew).sort((one, other) => rank(one) - rank(other));
    const target = (element) => {
      const isOther = (other) => !other.contains(element) && !element.contains(other);
      const alike = movable.filter((other) => called(other) === called(element) && isOther(other));
      const others = element.draggable && takes.length ? takes.filter(isOther) : alike.length ? alike : movable.filter(isOther);
      return others.sort((one, other) => far(element, other) - far(element, one))[0] ?? element.parentElement;
    };
    return moved.slice(0, MOST_DRAGS).map((element) => [element, target(element)]);
  };

  // `forUsers`: also what only real input does, such as dragging, and what the mouse does on its way to a click.
  const offered = (forUsers = false) => {
    const elements = all(document);
    const forms = [...document.forms];
    const clickable = delegated(elements, ["click", "mousedown", "mouseup", "pointerdown", "pointerup"]);
    const twice = delegated(elements, ["dblclick"]);
    const keyed = KEYS.some((type) => hears(document, type) || hears(globalThis, type) || hears(document.body, type));
    const outside = elements.some((element) => /^(input|textarea|select)$/.test(element.localName) && !element.form);
    const found = [];
    const nodes = [];
    const offer = (kind, element, more = {}) => {
      const described = describe(element);
      const box = element.getBoundingClientRect();
      found.push({ kind, element: described, size: [box.width, box.height], name: name(described, element), form: forms.indexOf(element.form) + 1, ...more });
      nodes.push(element);
    };
    for (const element of elements) {
      if (found.length >= MOST) break;
      if (/^(html|head|body|script|style|meta|link|title|iframe|option)$/.test(element.localName)) continue;
      if (!visible(element) || !enabled(element) || leaves(element)) continue;
      const { localName } = element;
      const hearsChange = LEAVES.some((type) => hears(element, type)) || (forUsers ? heardAbove(element, LEAVES) : element.form && LEAVES.some((type) => hears(element.form, type)));
      const isTyped = localName === "textarea" || (localName === "input" && TYPED.test(element.type)) || (element.isContentEditable && !element.parentElement?.isContentEditable);
      if (isTyped && !element.readOnly) {
        const input = localName === "input" ? element.type : "text";
        offer("fill", element, { input, value: text(element.isContentEditable ? element.textContent : element.value), hearsChange });
      } else if (localName === "input" && PICKED.test(element.type)) offer("set", element, { input: element.type, value: element.value });
      else if (localName === "select") offer("choose", element, { value: element.value, choices: [...element.options].filter((option) => !option.disabled).map((option) => text(option.value)) });
      else {
        const own = [...CLICKS, ...(forUsers ? HOVERS : [])].some((type) => hears(element, type));
        const submits = (element.form !== null && element.form !== undefined && /^(submit|image)$/.test(element.type ?? "")) || (outside && !element.form && (localName === "button" || element.type === "button"));
        if (own || acts(element) || clickable.has(element)) offer("click", element, { submits });
      }
      if (hears(element, "dblclick") || twice.has(element)) offer("double_click", element);
      if (hears(element, "contextmenu")) offer("menu", element);
      const focusable = isTyped || element.tabIndex >= 0;
      if (KEYS.some((type) => hears(element, type)) && focusable) offer("press", element, { input: "key" });
      else if (isTyped && ((localName === "input" && element.form) || (forUsers && heardAbove(element, KEYS)))) offer("press", element, { input: "key" });
    }
    if (keyed && document.body && found.length < MOST) offer("press", document.body, { input: "key" });
    for (const [element, to] of forUsers ? drags(elements, clickable) : []) {
      if (found.length >= MOST || !to || to === document.documentElement) break;
      const box = to.getBoundingClientRect();
      offer(element.draggable ? "carry" : "drag", element, { to: { element: describe(to), size: [box.width, box.height] } });
    }
    return { offers: found, elements: nodes };
  };

  colobus.offered = offered;
  colobus.offers = () => offered(true).offers;
})(globalThis[Symbol.for("colobus")]);
