// Selections as { anchor, head }; a caret is a selection whose ends are equal.

import { isDelete, isInsert, lengthOf } from './delta.js';
import { moved } from './transform.js';

export const caret = (position) => ({ anchor: position, head: position });
export const isCaret = (range) => range.anchor === range.head;
export const startOf = (range) => Math.min(range.anchor, range.head);
export const endOf = (range) => Math.max(range.anchor, range.head);
export const sameRange = (one, other) => one?.anchor === other?.anchor && one?.head === other?.head;

/** Where a range is after a change that its owner did not make: text inserted at its edges stays outside. */
export function rangeAfter(range, change) {
  const end = moved(endOf(range), change, true);
  const start = isCaret(range) ? end : Math.min(moved(startOf(range), change, false), end);
  return range.anchor <= range.head ? { anchor: start, head: end } : { anchor: end, head: start };
}

/** Where the author of a change stands after it: behind what was inserted or deleted last, if anything was. */
export function caretBehind(change) {
  let [at, last] = [0, undefined];
  for (const component of change) {
    if (!isDelete(component)) at += lengthOf(component);
    if (isInsert(component) || isDelete(component)) last = at;
  }
  return last === undefined ? undefined : caret(last);
}

/** Where the author's range is for everyone else after the change. */
export function rangeOfAuthor(range, change) {
  return caretBehind(change) ?? (range && rangeAfter(range, change));
}
