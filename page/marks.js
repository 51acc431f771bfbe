// marks: texts of a mock that did not stay texts: elements that they became, code of theirs that ran, and addresses that run
// it when a user follows them.
((colobus) => {
  const MOST = 100;
  const FOLLOWED = { href: "a, area", src: "iframe, frame, embed", data: "object", action: "form", formaction: "button, input" };
  const found = new Map();
  const note = (number, became, place) => {
    if (found.size < MOST && Number.isSafeInteger(number)) found.set(`${number} ${became} ${place}`, { number, became, place });
  };
  const named = (element) => (element ? element.localName + (element.id ? `#${element.id}` : "") : "");

  Object.defineProperty(globalThis, "colobusMark", { value: (number) => note(number, "script", "") });
  // The browser tells of every element with this name, also inside shadow trees, and of those that are gone soon.
  class Mark extends HTMLElement {
    connectedCallback() {
      note(Number(this.getAttribute("n")), "markup", named(this.parentElement ?? this.getRootNode().host));
    }
  }
  customElements.define("colobus-mark", Mark);

  colobus.marks = () => {
    for (const [attribute, elements] of Object.entries(FOLLOWED)) {
      for (const element of document.querySelectorAll(elements)) {
        const [, number] = /^\s*javascript:colobusMark\((\d+)\)/.exec(element.getAttribute(attribute) ?? "") ?? [];
        if (number) note(Number(number), "script", `${named(element)}[${attribute}]`);
      }
    }
    return [...found.values()];
  };
})(globalThis[Symbol.for("colobus")]);
