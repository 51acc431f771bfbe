// events: what a user can do, by a name that is the same in every load of the page, and doing it by script. Called by
// `colobus reach` in pages whose code is instrumented.
((colobus) => {
  const { concolic } = colobus;
  const { fetch } = globalThis;
  const FIRST = { number: "1", text: "a", search: "a", url: "http://a.example/", tel: "1", email: "a@b.example", password: "a", date: "2026-01-01", time: "12:00", month: "2026-01", week: "2026-W01", "datetime-local": "2026-01-01T12:00", color: "#101010", range: "1" };
  const FOLLOWED = ["click", "double_click", "fill", "choose", "set", "press"];
  // How long the browser may take to go back.
  const LONGEST_BACK = 1000;

  // An element without an id may be another one in the same place; then it has another text, whatever it counts.
  const key = ({ kind, element, name }, { id }) => `${kind} ${JSON.stringify(element.paths)}${id ? "" : ` ${String(name ?? "").replace(/\d+/g, "")}`}`;
  // React listens to everything in the element that it renders into, on behalf of those inside.
  const isContainer = (element) => Object.keys(element).some((name) => name.startsWith("__reactContainer$"));
  const offered = () => {
    const { offers, elements } = colobus.offered();
    return offers.map((offer, at) => ({ offer, element: elements[at], key: key(offer, elements[at]) })).filter(({ element }) => !isContainer(element));
  };

  // What can be typed or chosen, as the solver must know it.
  const domain = (element, kind) => {
    if (kind === "choose") return { choices: [...element.options].filter((option) => !option.disabled).map((option) => option.value) };
    if (kind === "press") return { choices: concolic.keys.of(element) };
    const limits = { longest: element.maxLength > 0 ? element.maxLength : null };
    return element.type === "number" ? { ...limits, number: true } : limits;
  };
  const described = ({ offer, element, key }) => {
    const isField = offer.kind === "press" || ["fill", "choose"].includes(offer.kind) && !element.isContentEditable;
    return { key, offer, followed: FOLLOWED.includes(offer.kind), field: isField ? domain(element, offer.kind) : null };
  };
  // What the browser does with the whole page.
  const entries = () => globalThis.navigation?.entries() ?? [];
  const canGoBack = () => entries()[(globalThis.navigation?.currentEntry?.index ?? 0) - 1]?.sameDocument === true;
  const ofBrowser = () => [...(concolic.storage.isRead() ? ["reload"] : []), ...(canGoBack() ? ["back"] : [])].map((key) => ({ key, browser: key, followed: true, field: null }));
  const offers = () => [...offered().map(described), ...concolic.timers.offers(), ...concolic.answers.offers(), ...ofBrowser()];

  const setter = (element) => {
    const owner = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].find((owner) => element instanceof owner);
    return owner && Object.getOwnPropertyDescriptor(owner.prototype, "value").set;
  };
  const enter = (element, value) => {
    const set = setter(element);
    if (set) Reflect.apply(set, element, [value]);
    else element.textContent = value;
    return element.value;
  };

  const usual = ({ offer: { kind }, element }) => {
    if (kind === "press") return "Enter";
    return kind === "choose" ? (element.options[element.options.length - 1]?.value ?? "") : (FIRST[element.type] ?? "a");
  };

  // Does what the user does. The value of a field is a parameter of its event.
  const act = ({ offer, element }, value, isFollowed) => {
    const place = isFollowed ? concolic.fields().find((place) => place.element === element) : null;
    const { kind } = offer;
    if (kind === "fill" || kind === "choose" || kind === "set") {
      element.focus?.();
      const now = enter(element, value);
      if (place && kind !== "set") concolic.parameter(place, now, "value", { event: 0 });
      element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      element.dispatchEvent(new Event("change", { bubbles: true }));
      return;
    }
    if (kind === "press") return concolic.keys.press(element, value, isFollowed);
    if (place && place.key === "checked" && element.type === "checkbox") {
      const expr = concolic.flipped(place);
      place.keep(expr && { value: !element.checked, expr });
    }
    const box = element.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, composed: true, view: globalThis, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    for (const type of ["pointerdown", "mousedown"]) element.dispatchEvent(new (type.startsWith("p") ? PointerEvent : MouseEvent)(type, at));
    element.focus?.();
    for (const type of ["pointerup", "mouseup"]) element.dispatchEvent(new (type.startsWith("p") ? PointerEvent : MouseEvent)(type, at));
    element.click();
    if (kind === "double_click") {
      element.click();
      element.dispatchEvent(new MouseEvent("dblclick", at));
    }
  };

  // Promises that are settled already have run after this.
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await null;
  };

  // What was sent meanwhile has an answer after this, which has not arrived yet.
  const answered = async () => {
    await settled();
    await concolic.answers.ask();
    await settled();
  };

  // Listeners for another place in the document hear of it in a task of their own.
  const arrived = async (before) => {
    if (location.href !== before) await concolic.idle();
    await answered();
  };
  const goBack = async ({ before, kinds }) => {
    const gone = new Promise((resolve) => {
      globalThis.addEventListener("popstate", resolve, { once: true });
      concolic.later(resolve, LONGEST_BACK);
    });
    const { finish } = await concolic.run(() => history.back(), { before, kinds });
    await gone;
    await concolic.idle();
    await answered();
    return { ...finish(), parameter: null, domain: null, offers: offers(), sent: concolic.answers.told() };
  };

  // One event with a state of its own; what it did, and what can be done then.
  const perform = async (wanted, { before, value, kinds, asked }, isFollowed) => {
    concolic.answers.begin(asked);
    const over = concolic.timers.over(wanted) ?? concolic.answers.over(wanted);
    if (over) {
      const { finish } = await concolic.run(over, { before, kinds });
      // A program may read an answer in ways that take the browser some time.
      await concolic.idle();
      await answered();
      return { ...finish(), parameter: null, domain: null, offers: offers(), sent: concolic.answers.told() };
    }
    if (wanted === "back") return canGoBack() ? goBack({ before, kinds }) : { missing: true };
    const [found, place] = [offered().find((event) => event.key === wanted), location.href];
    if (!found) return { missing: true };
    const text = value ?? usual(found);
    // The state that was set may show something else.
    let shown = found;
    const go = () => {
      shown = offered().find((event) => event.key === wanted);
      if (shown) act(shown, text, isFollowed);
    };
    const { finish } = await concolic.run(go, { before, kinds });
    await arrived(place);
    return { ...finish(), parameter: text, domain: described(shown ?? found).field, offers: offers(), sent: concolic.answers.told(), absent: !shown };
  };

  // Whether the next document of this profile finds nothing of this one, but for local storage, which is emptied before it.
  const isClean = async () => {
    try {
      const databases = (await indexedDB.databases?.()) ?? [];
      const cached = (await globalThis.caches?.keys()) ?? [];
      return sessionStorage.length + databases.length + cached.length === 0 && document.cookie === "" && !location.hash && globalThis.name === "";
    } catch {
      return false;
    }
  };

  // A document that is loaded again is followed from its first statement; what is stored is all that it has from the last one.
  const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload" && globalThis.top === globalThis;
  const reloading = isReloaded ? concolic.open() : null;
  const reloaded = () => (reloading ? { ...reloading(), parameter: null, domain: null, offers: offers() } : { missing: true });
  const beforeReload = ({ before, kinds }) => (concolic.store(before, kinds), null);

  const fetched = (url) => fetch(url).then((answer) => answer.ok, () => false);

  colobus.reach = { offers, fetched, isClean, perform, beforeReload, reloaded, start: () => ({ state: concolic.snapshot(), log: [...concolic.opened], offers: offers() }) };
})(globalThis[Symbol.for("colobus")]);
