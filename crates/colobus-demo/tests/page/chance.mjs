// Seeded random numbers, documents and edits for the tests.

import { change, documentLength, insert, remove, retain } from '../../page/delta.js';

/** A generator of numbers in [0, 1) that repeats for equal seeds. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

export const below = (random, limit) => Math.floor(random() * limit);
export const pick = (random, list) => list[below(random, list.length)];

/** An edit of a document at one place, as a user makes it; the last newline stays. */
export function randomEdit(random, document) {
  const length = documentLength(document) - 1;
  const start = below(random, length + 1);
  const count = below(random, Math.min(4, length - start) + 1);
  const marks = pick(random, [{}, { bold: true }, { italic: true }]);
  switch (below(random, 4)) {
    case 0:
      return change(retain(start), remove(count));
    case 1:
      return change(retain(start), retain(count, pick(random, [{ bold: true }, { bold: null }, { indent: 1 }])));
    default:
      return change(retain(start), insert(pick(random, ['a', 'xy', '\n', 'on ']), marks), remove(below(random, count + 1)));
  }
}
