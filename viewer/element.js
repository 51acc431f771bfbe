// Everything on the page is made here: text becomes text nodes, so that no data can ever become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (functions become listeners, `false` and `null` are left out) and children. */
function element(name, attributes, ...children) {
  return dressed(document.createElement(name), attributes, children);
}

function drawing(name, attributes, ...children) {
  return dressed(document.createElementNS(SVG, name), attributes, children);
}

function dressed(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element whose place or size is computed. */
function placed(node, properties) {
  for (const [name, value] of Object.entries(properties)) node.style.setProperty(name, value);
  return node;
}

// Controls, marks that turn the direction of text, and invisible separators.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text from a page, with characters that hide or turn it made visible. */
function visible(text) {
  return String(text).replace(UNSEEN, (c) => `⟨${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** Text from a page in its own direction. */
function foreign(text, attributes) {
  return element("bdi", attributes, visible(text));
}

const grouped = (number) => Number(number ?? 0).toLocaleString("en");
const counted = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Seconds as people say them. */
function spoken(seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}

/** The letter of a client, as everywhere in Colobus. */
const clientName = (index) => (index < 26 ? String.fromCharCode(65 + index) : `C${index + 1}`);

/** The badge of a client; its colour is the client's everywhere on the page. */
function badge(index) {
  return colouredBy(index, element("span", { class: "badge" }, clientName(index)));
}

const CLIENT_COLOURS = 6;

function colouredBy(index, node) {
  return placed(node, { "--client": `var(--client-${index % CLIENT_COLOURS})` });
}

/** Tells screen readers what just happened. */
function announce(text) {
  document.getElementById("announcement").textContent = text;
}

/** A row of choices of which one is on; `choose` gets its key. */
function choices(label, options, chosen, choose) {
  const name = `choice-${(choices.count = (choices.count ?? 0) + 1)}`;
  return element(
    "div",
    { class: "choices", role: "radiogroup", "aria-label": label },
    options.map(([key, text]) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name, value: key, checked: key === chosen, change: () => choose(key) }),
        element("span", {}, text),
      ),
    ),
  );
}
