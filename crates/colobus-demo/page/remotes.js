// Draws the carets and selections of the other users, in a layer below the text.

import { placeOf, stretchBetween } from './places.js';
import { endOf, isCaret, startOf } from './ranges.js';
import { colourOf, nameOf } from './users.js';

export class Remotes {
  constructor(layer, root) {
    Object.assign(this, { layer, root });
  }

  draw(others) {
    const origin = this.layer.getBoundingClientRect();
    const inOrder = [...others].sort(([one], [other]) => one - other);
    const shapes = inOrder.flatMap(([client, range]) => [
      ...this.#selection(client, range, origin),
      this.#caret(client, range, origin),
    ]);
    this.layer.replaceChildren(...shapes);
  }

  #selection(client, range, origin) {
    if (isCaret(range)) return [];
    const rectangles = [...stretchBetween(this.root, startOf(range), endOf(range)).getClientRects()];
    return rectangles
      .filter(({ width }) => width >= 1)
      .map((rectangle) => {
        const element = shape('remote-selection', client, rectangle, origin);
        element.style.width = `${rectangle.width}px`;
        return element;
      });
  }

  #caret(client, range, origin) {
    const { node, offset } = placeOf(this.root, range.head);
    const place = document.createRange();
    place.setStart(node, offset);
    const rectangle = place.getClientRects()[0] ?? node.parentElement.getBoundingClientRect();
    const element = shape('remote-caret', client, rectangle, origin);
    element.dataset.name = nameOf(client);
    return element;
  }
}

function shape(className, client, { left, top, height }, origin) {
  const element = document.createElement('div');
  element.className = className;
  element.style.setProperty('--user', colourOf(client));
  element.style.left = `${left - origin.left}px`;
  element.style.top = `${top - origin.top}px`;
  element.style.height = `${height}px`;
  return element;
}
