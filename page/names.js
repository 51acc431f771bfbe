// names: the role of an element, and the name by which its users know it: its label, or what it says.
((colobus) => {
  const ROLES = { a: "link", button: "button", select: "combobox", textarea: "textbox", img: "img", nav: "navigation", li: "listitem", ul: "list", ol: "list", option: "option", summary: "button", table: "table", td: "cell", tr: "row", form: "form", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", dialog: "dialog", main: "main", article: "article", hr: "separator", progress: "progressbar", iframe: "iframe" };
  const INPUT_ROLES = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox" };
  const NAMED_BY_CONTENT = new Set(["button", "link", "option", "heading", "listitem", "cell", "tab", "menuitem", "checkbox", "radio", "switch"]);
  const LONGEST = 80;

  const role = (element) => {
    const given = element.getAttribute("role");
    if (given) return given.trim().split(/\s+/)[0];
    if (element.localName === "input") return INPUT_ROLES[element.type] ?? "textbox";
    if (element.localName === "a" && !element.hasAttribute("href")) return null;
    return element.isContentEditable ? "textbox" : (ROLES[element.localName] ?? null);
  };

  const squeeze = (text) => text.replace(/\s+/g, " ").trim();
  const short = (text) => [...text].slice(0, LONGEST).join("");
  // Long texts are no name, and what is edited or secret must not be written down.
  const textOf = (element) => {
    if (element.isContentEditable || /^(html|body|textarea|select|input|iframe)$/.test(element.localName)) return "";
    if (colobus.secrets && element.querySelector(colobus.secrets.selector)) return "";
    const text = element.textContent ?? "";
    return text.length > 20 * LONGEST ? "" : short(squeeze(text));
  };

  const label = (element) => {
    const root = element.getRootNode();
    const referred = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    const texts = referred.map((id) => root.getElementById?.(id)).filter(Boolean).map(textOf);
    const byContent = NAMED_BY_CONTENT.has(role(element)) ? textOf(element) : "";
    const button = element.localName === "input" && /^(submit|button|reset)$/.test(element.type) ? element.value : "";
    const labels = [...(element.labels ?? [])].map(textOf);
    const candidates = [texts.join(" "), element.getAttribute("aria-label"), labels.join(" "), button, element.getAttribute("alt"), byContent, element.getAttribute("title"), element.getAttribute("placeholder")];
    return short(squeeze(candidates.find((text) => text && squeeze(text)) ?? ""));
  };

  colobus.names = { role, label, squeeze, textOf };
})(globalThis[Symbol.for("colobus")]);
