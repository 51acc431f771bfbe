// As much of a DOM as the view uses, to be printed and compared.

class Node {
  parent = undefined;

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((child) => child !== this);
    this.parent = undefined;
  }
}

class Text extends Node {
  constructor(text) {
    super();
    this.text = text;
  }

  print() {
    return JSON.stringify(this.text);
  }
}

class Element extends Node {
  children = [];
  attributes = new Map();

  set className(name) {
    this.setAttribute('class', name);
  }

  set textContent(text) {
    this.replaceChildren(new Text(text));
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  toggleAttribute(name, isThere) {
    if (isThere) this.setAttribute(name, '');
    else this.removeAttribute(name);
  }

  insertBefore(node, next) {
    node.remove();
    node.parent = this;
    this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, node);
  }

  replaceChildren(...nodes) {
    this.children.forEach((child) => child.remove());
    nodes.forEach((node) => this.insertBefore(node));
  }

  replaceWith(node) {
    this.parent.insertBefore(node, this);
    this.remove();
  }

  print() {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}=${value}`).join('');
    return `<${attributes}>${this.children.map((child) => child.print()).join('')}</>`;
  }
}

export const createRoot = () => new Element();

globalThis.document = {
  createElement: () => new Element(),
  createTextNode: (text) => new Text(text),
};
