// The log: for every event of the page, the places that it touched. Filled by the other files of accesses/, emptied by the
// driver: begin(name) starts an event, end() closes it, take() hands over all that was logged since.
//
// A place is a list that starts with its kind:
//   ["global", name]  ["variable", activation, site of the declaration]  ["property", object, name]
//   ["whole", object]  all properties of an object; overlaps each of them
//   ["entry", object, key]  of a Map or Set  ["node", node, what]  ["query", family, value]  ["handler", target, type]
//   ["storage", area, key]  ["cookie"]  ["location"]  ["layout"]  ["library", name]  ["anything"]  overlaps every place
((colobus) => {
  const { Map, Set, WeakMap, WeakSet, charCodeAt, collect, descriptor, has, hasOwn, isArray, isKnown, keys, know } =
    colobus.kept;
  const { lookUp, note, noted, prototypeOf, quote, slice, store, text, wellFormed } = colobus.kept;

  // Frames of the same origin log to the page around them: an object has one number, whichever window touches it.
  const around = colobus.above?.accesses;
  if (around) {
    colobus.log = colobus.above.log;
    colobus.accesses = { __proto__: around, inPlace: around.suspend(globalThis) };
    return;
  }

  // How a place is touched. Rewritten code uses these numbers.
  const READ = 1;
  const WRITE = 2;
  const UPDATE = 3;
  const ADD = 4;
  const INITIALISE = 5;
  const WHOLE = Symbol("all properties");
  const UNKNOWN = Symbol("a value that is not known");
  const LONGEST = 60;

  const { imul } = Math;

  let event = { name: null, accesses: [], changed: [] };
  let events = [];
  let objects = [];
  let numbered = 0;
  let activations = 0;
  let site = null;

  const records = new WeakMap();
  const proxies = new WeakSet();
  // The windows of frames. Globals of all windows have one place for each name.
  const windows = new WeakSet();
  let hasFrames = false;
  // What the browser offers: for each of its objects, the names that it came with.
  const builtin = new WeakMap();
  const isBuiltin = (owner, key) => {
    const names = noted(builtin, owner);
    return names !== undefined && has(names, key);
  };
  let globals = new Map();
  let variables = new Map();
  let others = new Map();
  let libraries = new Map();

  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

  // What is known of an object: its number, and its places by key.
  const recordOf = (object) => {
    let record = noted(records, object);
    if (record === undefined) {
      record = { number: ++numbered, places: new Map(), whole: undefined, entries: undefined, instead: undefined };
      note(records, object, record);
      const { kind, placed } = colobus.accesses.describe?.(object) ?? { kind: isArray(object) ? "array" : typeof object, placed: false };
      objects[objects.length] = { number: record.number, kind, placed, event: event.name, site };
    }
    return record;
  };

  const numberOf = (object) => recordOf(object).number;

  // A short text that is the same for the same value.
  const digest = (value) => {
    if (isObject(value)) return `#${numberOf(value)}`;
    if (typeof value !== "string") return typeof value === "bigint" ? `${text(value)}n` : text(value);
    if (value.length <= LONGEST) return `"${value}"`;
    let hash = 0;
    for (let at = 0; at < value.length; at++) hash = (imul(hash, 31) + charCodeAt(value, at)) | 0;
    return `"${slice(value, 0, LONGEST)}…" ${value.length} ${hash >>> 0}`;
  };

  // Notes that a place was touched: of every event, the first site of each way to touch it. The parser has none: null.
  const touch = (place, how, at) => {
    let { entry } = place;
    if (place.event !== event) {
      entry = place.entry = { place, first: how, read: undefined, write: undefined, add: undefined, initialise: undefined };
      place.event = event;
      event.accesses[event.accesses.length] = entry;
    }
    if ((how === READ || how === UPDATE) && entry.read === undefined) entry.read = at;
    if ((how === WRITE || how === UPDATE) && entry.write === undefined) entry.write = at;
    if (how === ADD && entry.add === undefined) entry.add = at;
    if (how === INITIALISE && entry.initialise === undefined) entry.initialise = at;
    return entry;
  };

  const placeIn = (map, key, name) => {
    let place = lookUp(map, key);
    if (place === undefined) store(map, key, (place = { name: name(), event: undefined, entry: undefined }));
    return place;
  };

  const touchGlobal = (name, how, at, value) => {
    const entry = touch(placeIn(globals, name, () => ["global", name]), how, at);
    if (how !== READ) entry.value = value === UNKNOWN ? undefined : digest(value);
  };

  const touchVariable = (activation, declaration, how, at, value) => {
    const key = `${activation}:${declaration}`;
    const entry = touch(placeIn(variables, key, () => ["variable", activation, declaration]), how, at);
    if (how !== READ) entry.value = value === UNKNOWN ? undefined : digest(value);
  };

  // A place that is neither a variable nor a property, such as ["cookie"].
  const touchOther = (name, how, at = site) => {
    let key = "";
    for (let part = 0; part < name.length; part++) key += `${text(name[part])}\n`;
    return touch(placeIn(others, key, () => name), how, at);
  };

  // A library is one place, which every call into it reads and writes. What it does to the page is called by the code that calls it. The
  // globals that it makes are found when the event ends.
  const touchLibrary = (name, at, window) => {
    site ??= at;
    touch(placeIn(libraries, name, () => ["library", name]), UPDATE, at);
    event.windows ??= [];
    for (let index = 0; index < event.windows.length; index++) if (event.windows[index].window === window) return;
    const names = new Set();
    const before = keys(window);
    for (let index = 0; index < before.length; index++) collect(names, before[index]);
    event.windows[event.windows.length] = { window, names, at };
  };

  const touchMadeGlobals = () => {
    if (event.windows === undefined) return;
    for (let index = 0; index < event.windows.length; index++) {
      const { window, names, at } = event.windows[index];
      const now = keys(window);
      for (let name = 0; name < now.length; name++) {
        // Frames have numbers.
        const isName = typeof now[name] === "string" && text(+now[name]) !== now[name];
        if (isName && !has(names, now[name])) touchGlobal(now[name], WRITE, at, UNKNOWN);
      }
    }
    event.windows = undefined;
  };

  const touchWhole = (object, how, at = site) => {
    if (!isObject(object)) return;
    const record = recordOf(object);
    record.whole ??= { name: ["whole", record.number], event: undefined, entry: undefined };
    touch(record.whole, how, at);
  };

  const touchEntry = (object, key, how, at = site) => {
    const record = recordOf(object);
    record.entries ??= new Map();
    // By its digest: the log must not keep a key alive.
    const name = digest(key);
    touch(placeIn(record.entries, name, () => ["entry", record.number, name]), how, at);
  };

  const touchOwn = (object, key, how, at) => {
    const record = recordOf(object);
    if (record.instead !== undefined) return record.instead(key, how, at);
    const place = placeIn(record.places, key, () => ["property", record.number, text(key)]);
    const isNew = place.event !== event;
    const entry = touch(place, how, at);
    if (how !== READ && (isNew || !hasOwn(entry, "value"))) {
      entry.value = undefined;
      event.changed[event.changed.length] = { object, key, entry };
    }
  };

  // For objects whose properties stand for something else, such as `localStorage`: what a touch of one means.
  const touchInstead = (object, touches) => (recordOf(object).instead = touches);
  const insteadOf = (object) => recordOf(object).instead;

  // The object in the prototype chain that has the property; undefined if none has it, or if looking would run code.
  const ownerOf = (object, key) => {
    for (let owner = object; owner !== null; owner = prototypeOf(owner)) {
      if (isKnown(proxies, owner)) return undefined;
      if (hasOwn(owner, key)) return owner;
    }
    return undefined;
  };

  const touchProperty = (object, key, how, at) => {
    if (!isObject(object)) return;
    site = at;
    if (key === WHOLE || isObject(key)) return touchWhole(object, how, at);
    const name = typeof key === "symbol" ? key : text(key);
    const isWindow = object === globalThis || (hasFrames && isKnown(windows, object));
    if (isWindow && typeof name === "string") return touchGlobal(name, how, at, UNKNOWN);
    if (isKnown(proxies, object)) return touchOwn(object, name, how, at);
    try {
      const owner = typeof name === "string" && name[0] === "#" ? object : ownerOf(object, name);
      // What the browser offers is logged by what builtins.js and dom.js put in its place.
      if (owner !== undefined && (how === READ || owner !== object) && isBuiltin(owner, name)) return;
      touchOwn(object, name, how, at);
      if (how === READ && owner !== undefined && owner !== object) touchOwn(owner, name, READ, at);
      if (how !== READ && isArray(object)) touchLength(object, name, at);
    } catch {
      // A window of another origin and an unfinished module do not let themselves be looked at.
      touchWhole(object, how, at);
    }
  };

  const touchLength = (array, name, at) => {
    if (name === "length") touchWhole(array, WRITE, at);
    else if (+name >= array.length) touchOwn(array, "length", WRITE, at);
  };

  // The values that the event leaves behind, as far as they can be seen without running code.
  const close = () => {
    colobus.accesses.drain?.();
    touchMadeGlobals();
    for (let at = 0; at < event.changed.length; at++) {
      const { object, key, entry } = event.changed[at];
      try {
        const property = isKnown(proxies, object) ? undefined : descriptor(object, key);
        // What is private cannot be seen from here.
        if (property === undefined && key[0] !== "#" && !isKnown(proxies, object)) entry.value = "absent";
        else if (property === undefined) entry.value = undefined;
        else if (hasOwn(property, "value")) entry.value = digest(property.value);
      } catch {
        // As above: it does not let itself be looked at.
      }
    }
    event.changed = [];
    if (event.accesses.length > 0 || event.name !== null) events[events.length] = event;
  };

  // The log as a text, because it is long: lists of numbers, for which texts and places are listed once. It is put together by
  // hand, because a page may change how its lists are written (`toJSON`).
  const usual = ["read", "write", "add", "initialise"];
  // Reading what one has created oneself is another thing than reading it before.
  const created = ["initialise", "read", "write", "add"];
  const codes = { __proto__: null, read: 0, write: 1, add: 2, initialise: 3 };
  let packs = 0;
  const packed = () => {
    const pack = ++packs;
    let texts = "";
    let placesText = "";
    let objectsText = "";
    let eventsText = "";
    let textCount = 0;
    let placeCount = 0;
    const known = new Map();
    const numberOfText = (value) => {
      let number = lookUp(known, value);
      if (number === undefined) {
        store(known, value, (number = textCount++));
        texts += `${number > 0 ? "," : ""}${quote(wellFormed(value))}`;
      }
      return number;
    };
    const numberOfPlace = (place) => {
      if (place.pack === pack) return place.number;
      place.pack = pack;
      place.number = placeCount++;
      // Its length, and each part doubled; that of a text is one higher.
      placesText += `${place.number > 0 ? "," : ""}${place.name.length}`;
      for (let part = 0; part < place.name.length; part++) {
        const value = place.name[part];
        placesText += `,${typeof value === "number" ? 2 * value : 2 * numberOfText(text(value)) + 1}`;
      }
      return place.number;
    };
    // None is 0.
    const after = (number) => (number === null || number === undefined ? 0 : number + 1);
    const textAfter = (value) => (value === null || value === undefined ? 0 : numberOfText(value) + 1);
    for (let at = 0; at < objects.length; at++) {
      const { number, kind, placed, event: first, site: where } = objects[at];
      objectsText += `${at > 0 ? "," : ""}${number},${numberOfText(kind)},${placed ? 1 : 0},${textAfter(first)},${after(where)}`;
    }
    for (let at = 0; at < events.length; at++) {
      const { name, accesses } = events[at];
      let list = "";
      for (let index = 0; index < accesses.length; index++) {
        const entry = accesses[index];
        const kinds = entry.first === INITIALISE ? created : usual;
        for (let kind = 0; kind < kinds.length; kind++) {
          const first = entry[kinds[kind]];
          if (first === undefined) continue;
          const value = kinds[kind] === "read" ? 0 : textAfter(entry.value);
          list += `${list === "" ? "" : ","}${numberOfPlace(entry.place)},${codes[kinds[kind]]},${after(first)},${value}`;
        }
      }
      eventsText += `${at > 0 ? "," : ""}{"event":${textAfter(name)},"accesses":[${list}]}`;
    }
    return `{"texts":[${texts}],"places":[${placesText}],"objects":[${objectsText}],"events":[${eventsText}]}`;
  };

  colobus.accesses = {
    begin(name) {
      close();
      site = null;
      event = { name, accesses: [], changed: [] };
    },
    end() {
      close();
      event = { name: null, accesses: [], changed: [] };
    },
    take() {
      close();
      event = { name: event.name, accesses: [], changed: [] };
      const taken = packed();
      events = [];
      objects = [];
      // Places are found again by their names; keeping those of every activation would fill the memory.
      globals = new Map();
      variables = new Map();
      others = new Map();
      libraries = new Map();
      return taken;
    },
    // Runs what Colobus itself asks of the page: none of it is logged.
    aside(run) {
      const kept = event;
      event = { name: null, accesses: [], changed: [] };
      try {
        return run();
      } finally {
        event = kept;
      }
    },
    // What puts logging functions in place touches a lot: in a page it is forgotten, in a frame it is not logged.
    inPlace() {
      colobus.accesses.take();
    },
    suspend(frame) {
      hasFrames = true;
      know(windows, frame);
      const kept = event;
      event = { name: null, accesses: [], changed: [] };
      return () => (event = kept);
    },
    // The last site of rewritten code that ran: where a timer is set, for instance.
    site: () => site,
  };

  colobus.log = {
    READ,
    WRITE,
    UPDATE,
    ADD,
    WHOLE,
    UNKNOWN,
    activation: () => ++activations,
    at: (number) => (site = number),
    builtin,
    digest,
    isObject,
    numberOf,
    proxies,
    touchEntry,
    insteadOf,
    touchGlobal,
    touchInstead,
    touchLibrary,
    touchOther,
    touchOwn,
    touchProperty,
    touchVariable,
    touchWhole,
  };
})(globalThis[Symbol.for("colobus")]);
