// answers: what servers say, as events of their own. A request that the program's own code sends after the page has opened does not
// leave by itself here: `colobus reach` says what the server answered when it was asked, and that arrives as an event, with a status
// and parts that are symbolic. What is known of parts is known beside the object that `json()` and `JSON.parse` give.
((colobus) => {
  const { apply, known, pair, constant, variable, kind, isPrimitive, written, read } = colobus.symbolic;
  const { properties, propertiesOf, branch, current, storage } = colobus.concolic;
  const { fetch, Response, Request, XMLHttpRequest, ProgressEvent, TypeError } = globalThis;
  const { parse, stringify } = JSON;
  const { json, text: textOfBody } = Response?.prototype ?? {};
  const { open, send, setRequestHeader } = XMLHttpRequest?.prototype ?? {};
  // Different values in requests to one address that are told apart.
  const MOST_ASKED = 4;
  const WITHOUT_BODY = [204, 205, 304];

  // Requests without an answer; those with `content` have one that has not arrived yet.
  const pending = [];
  // What was opened, by its XMLHttpRequest, and what has arrived, by its Response.
  const opened = new WeakMap();
  const arrived = new WeakMap();
  // What was sent in other runs, by address and by what it depends on, in the order in which it was asked for first. Nothing while the page opens: what it asks for then belongs to opening it.
  let asked = null;

  // An address without what differs from one element of a list to the next.
  const labelOf = (method, url) => {
    const { origin, pathname } = new URL(url, document.baseURI);
    const path = pathname.replace(/\/-?\d[\d.e+-]*(?=\/|$)/g, "/*");
    return `${method} ${origin === location.origin ? path : origin + path}`;
  };
  const bodyOf = (body) => (body === undefined || body === null ? "" : typeof body === "string" ? body : body instanceof URLSearchParams ? String(body) : null);

  // Other things that are sent may get another answer: what this one depends on is a condition.
  const depend = (request, [url, givenUrl], [body, givenBody], site) => {
    const parts = [[url, givenUrl]];
    const leaves = (object, depth) => {
      for (const [key, given] of properties.get(object) ?? []) if (key !== "length") parts.push([object[key], given]);
      for (const inner of Object.values(object)) if (inner !== null && typeof inner === "object" && depth < 5) leaves(inner, depth + 1);
    };
    if (givenBody?.mirror && known(givenBody, body)) leaves(givenBody.mirror, 0);
    else parts.push([body, givenBody]);
    const symbolic = parts.map(([value, given]) => [value, isPrimitive(value) && known(given, value)]).filter(([, expr]) => expr && !("constant" in expr.json));
    for (const [value, expr] of symbolic) {
      const key = stringify(expr.json);
      const others = (asked[request.label]?.[key] ?? []).map(read);
      const at = others.indexOf(value);
      for (const other of at < 0 ? others : others.slice(0, at)) branch(apply("same", expr, constant(other)), false, site);
      // With yet other values the server may say anything: the page as users have it will tell.
      if (at < 0 && others.length >= MOST_ASKED) {
        request.isOpen = true;
        continue;
      }
      branch(apply("same", expr, constant(value)), true, site);
      request.sent.push([key, written(value)]);
    }
  };
  const add = (method, url, body, headers, parts, site) => {
    const sent = bodyOf(body);
    const address = new URL(url, document.baseURI).href;
    const request = { label: labelOf(method, url), method, url: address, body: sent, headers, content: null, sent: [] };
    if (current()) depend(request, ...parts, site);
    pending.push(request);
    return request;
  };

  const fetched = (values, given, site) => {
    const [input, options] = values;
    // A Request may have a body that can be read once only.
    if (Request && input instanceof Request) return null;
    const url = typeof input === "string" ? input : String(input);
    const method = String(options?.method ?? "GET").toUpperCase();
    const known = options ? properties.get(options)?.get("body") : null;
    const request = add(method, url, options?.body, options?.headers, [[url, given[0]], [options?.body, known]], site);
    return new Promise((resolve, reject) => {
      request.refuse = () => reject(new TypeError("Failed to fetch"));
      request.arrive = () => resolve(response(request));
    });
  };
  const sent = (self, [body], [given], site) => {
    const { method, url, givenUrl, headers } = opened.get(self);
    const request = add(method, url, body, headers, [[url, givenUrl], [body, given]], site);
    const tell = (...types) => types.forEach((type) => self.dispatchEvent(new ProgressEvent(type)));
    request.refuse = () => tell("error", "loadend");
    request.arrive = () => {
      complete(self, request);
      tell("readystatechange", "load", "loadend");
    };
  };

  // Runs in the place of the browser's functions; nothing for other functions, and for those that the browser performs as well.
  const before = (f, self, values, given, site) => {
    if ((f === json || f === textOfBody) && arrived.has(self)) return { result: body(self, f === json) };
    if (f === open && self instanceof XMLHttpRequest) opened.set(self, { method: String(values[0]).toUpperCase(), url: String(values[1]), givenUrl: given[1], headers: {}, isLate: values[2] !== false });
    if (!asked) return null;
    if (f === fetch) {
      const result = fetched(values, given, site);
      return result && { result };
    }
    if (f === setRequestHeader && opened.has(self)) opened.get(self).headers[values[0]] = values[1];
    // One that the page waits for has no event of its own.
    return f === send && opened.get(self)?.isLate ? { result: sent(self, values, given, site) } : null;
  };

  // What the program gets ------------------------------------------------------------------------------------------------
  const textOf = ({ object, text }) => (object ? stringify(object) : text);
  const fine = (status) => status && apply("and", apply("atleast", status, constant(200)), apply("less", status, constant(300)));
  const besideStatus = (object, { status, given }) => {
    const symbolic = known(given.get("status"), status);
    propertiesOf(object).set("status", pair(status, symbolic));
    if ("ok" in object) propertiesOf(object).set("ok", pair(object.ok, fine(symbolic)));
  };
  const response = ({ content, url }) => {
    const { status, headers } = content;
    const made = new Response(WITHOUT_BODY.includes(status) ? null : textOf(content), { status, headers });
    Object.defineProperty(made, "url", { value: url });
    besideStatus(made, content);
    arrived.set(made, content);
    return made;
  };
  // The browser takes its time to read a body, which would be no part of the event.
  const body = async (made, isJson) => {
    const content = arrived.get(made);
    if (content.isUsed) throw new TypeError("body stream already read");
    content.isUsed = true;
    const text = textOf(content);
    if (!isJson) return text;
    const value = parse(text);
    if (content.object) storage.copy(content.object, value);
    return value;
  };
  const complete = (self, { content, url }) => {
    const text = textOf(content);
    const whole = self.responseType === "json" ? (content.object ? parse(text) : null) : text;
    const parts = { readyState: 4, status: content.status, responseURL: url, response: whole, getResponseHeader: (name) => new Headers(content.headers).get(name) };
    if (self.responseType === "" || self.responseType === "text") parts.responseText = text;
    for (const [name, value] of Object.entries(parts)) Object.defineProperty(self, name, { value, configurable: true });
    besideStatus(self, content);
    const given = content.object ? { ...pair(text, constant(text)), mirror: content.object } : content.given.get("text") ?? null;
    for (const name of ["response", "responseText"]) if (self[name] === text) propertiesOf(self).set(name, known(given, text) ? given : null);
    if (content.object && whole !== text) storage.copy(content.object, whole);
  };

  // Answers that have not arrived ----------------------------------------------------------------------------------------
  const parsed = (text) => {
    try {
      const value = Reflect.apply(parse, JSON, [text]);
      return value !== null && typeof value === "object" ? value : null;
    } catch {
      return null;
    }
  };
  // Asks for what is not known yet, and lets requests fail that nothing is known of.
  const ask = async () => {
    for (const request of pending.filter((request) => !request.content)) {
      const { url, method, headers, body } = request;
      try {
        const answer = await fetch(url, { method, headers, body: ["GET", "HEAD"].includes(method) ? undefined : body, cache: "no-store" });
        const text = await answer.text();
        request.content = { status: answer.status, headers: [...answer.headers], text, object: parsed(text), given: new Map() };
      } catch {
        pending.splice(pending.indexOf(request), 1);
        request.refuse();
      }
    }
  };
  // Of several from one address the first.
  const waiting = () => pending.filter((request, at) => request.content && pending.findIndex(({ label }) => label === request.label) === at);
  const offers = () => waiting().map(({ label }) => ({ key: `answer ${label}`, answer: label, followed: true, field: null }));
  const over = (key) => {
    const request = waiting().find(({ label }) => key === `answer ${label}`);
    if (!request) return null;
    return () => {
      pending.splice(pending.indexOf(request), 1);
      request.arrive();
    };
  };

  // A status that no answer can have stands for a failure.
  const status = (value) => (Number.isInteger(value) && value >= 200 && value <= 599 ? value : 500);
  const places = (walk) => {
    const found = [];
    for (const { label, content, isOpen } of waiting()) {
      const from = found.length;
      const base = `answer(${stringify(label)})`;
      const place = (name, set) => ({ name: `${base}.${name}`, get: () => content[name], set, take: () => content.given.get(name), keep: (given) => content.given.set(name, given) });
      found.push(place("status", (value) => (content.status = status(value))));
      if (content.object) walk(content.object, `${base}.body`, found);
      else found.push(place("text", (value) => (content.text = String(value))));
      if (isOpen) for (const part of found.slice(from)) part.take() || part.keep(pair(part.get(), variable(part.name, [kind(part.get())], { event: 0 })));
    }
    return found;
  };
  const begin = (known) => (asked = known ?? {});
  const told = () => pending.map(({ label, sent }) => [label, sent]);

  colobus.concolic.answers = { before, begin, ask, offers, over, places, told };
})(globalThis[Symbol.for("colobus")]);
