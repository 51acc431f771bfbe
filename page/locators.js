// locators: finds elements by the words in which users and tests speak of them. A locator is one part, or several with `>>`
// between them: each is looked for inside of what the one before it found, and inside a frame that is its document. A part is
// a CSS selector, or role=, label=, placeholder=, text= or testid=, as Playwright's users know them.
((colobus) => {
  const { role, label, squeeze, textOf } = colobus.names;

  // Parts lie between `>>` that is not inside quotation marks.
  const split = (locator) => {
    const parts = [""];
    let quote = null;
    for (let index = 0; index < locator.length; index++) {
      const character = locator[index];
      if (quote) quote = character === quote ? null : quote;
      else if (character === '"' || character === "'") quote = character;
      else if (locator.startsWith(">>", index)) {
        parts.push("");
        index++;
        continue;
      }
      parts[parts.length - 1] += character;
    }
    return parts.map((part) => part.trim());
  };

  // "Save" is the whole text as it is written; Save is a part of it, however it is written.
  const matcher = (wanted) => {
    const quoted = /^(["'])(.*)\1( i)?$/.exec(wanted.trim());
    if (quoted && !quoted[3]) return (text) => squeeze(text) === squeeze(quoted[2]);
    const lower = squeeze(quoted?.[2] ?? wanted).toLowerCase();
    return quoted ? (text) => squeeze(text).toLowerCase() === lower : (text) => squeeze(text).toLowerCase().includes(lower);
  };

  const attribute = (name) => (wanted) => {
    const matches = matcher(wanted);
    return (element) => element.hasAttribute(name) && matches(element.getAttribute(name));
  };
  const ENGINES = {
    role: (value) => {
      const [, wanted, name] = /^([\w-]+)(?:\[name=(.*)\])?$/.exec(value.trim()) ?? [];
      if (!wanted) throw new Error(`\`role=${value}\` is no role: write role=button or role=button[name="Save"]`);
      const matches = name === undefined ? () => true : matcher(name);
      return (element) => role(element) === wanted && matches(label(element));
    },
    label: (wanted) => {
      const matches = matcher(wanted);
      const labels = (element) => [element.getAttribute("aria-label") ?? "", ...[...(element.labels ?? [])].map(textOf)];
      return (element) => labels(element).some((text) => text && matches(text));
    },
    placeholder: attribute("placeholder"),
    testid: (wanted) => attribute("data-testid")(/^["']/.test(wanted) ? wanted : JSON.stringify(wanted)),
    text: (wanted) => {
      const matches = matcher(wanted);
      const says = (element) =>
        !/^(script|style|template|noscript|head|title)$/.test(element.localName) &&
        matches(/^(submit|button|reset)$/.test(element.type ?? "") && element.localName === "input" ? element.value : element.textContent);
      // The innermost element that says it is the one that is meant.
      return (element) => says(element) && ![...element.children].some(says);
    },
  };

  const documentIn = (element) => {
    try {
      return element.contentDocument ?? null;
    } catch {
      return null;
    }
  };

  // Everything below, also in open shadow roots.
  const everything = (root) =>
    [...root.querySelectorAll("*")].flatMap((element) => (element.shadowRoot ? [element, ...everything(element.shadowRoot)] : [element]));

  const engineOf = (part) => /^(role|label|placeholder|text|testid)=([\s\S]*)$/.exec(part);

  const inside = (root, part) => {
    const engine = engineOf(part);
    return engine ? everything(root).filter(ENGINES[engine[1]](engine[2])) : [...root.querySelectorAll(part)];
  };

  // The elements, and whether the locator has to mean one alone. What cannot be read throws.
  const find = (locator) => {
    let roots = [document];
    let elements = [];
    const parts = split(locator);
    for (const part of parts) {
      elements = [...new Set(roots.flatMap((root) => inside(root, part)))];
      roots = elements.map((element) => documentIn(element) ?? element);
    }
    return { elements, strict: engineOf(parts.at(-1)) !== null };
  };

  // This document, and those of all frames of the same origin in it, each with the way to it.
  const documents = (selectorOf, root = document, way = "") => [
    { root, way },
    ...[...root.querySelectorAll("iframe, frame")].flatMap((frame) => {
      const below = documentIn(frame);
      return below ? documents(selectorOf, below, `${way}${selectorOf(frame)} >> `) : [];
    }),
  ];

  colobus.locators = { find, documents };
})(globalThis[Symbol.for("colobus")]);
