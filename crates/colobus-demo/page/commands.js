// What editing commands do to a document, as pure functions of the document and the selection. Each returns
// { op, range } (the change, and the selection after it), or undefined when there is nothing to do.

import { change, insert, remove, retain } from './delta.js';
import { lineAt, linesIn, linesOf, textBetween } from './lines.js';
import { caret, endOf, isCaret, startOf } from './ranges.js';

const DEEPEST_INDENT = 6;

/** The formatting that text typed at a position takes over: that of the character before it, or of the line's first. */
export function inheritedMarks(document, position) {
  const line = lineAt(linesOf(document), position);
  const from = Math.max(position - 1, line.start);
  return { ...textBetween([line], from, from + 1)[0]?.attributes };
}

export function insertText(document, range, text, marks) {
  const [start, end] = [startOf(range), endOf(range)];
  const attributes = marks ?? inheritedMarks(document, isCaret(range) ? start : start + 1);
  const { block } = lineAt(linesOf(document), start);
  const pieces = text
    .replace(/\r\n?/g, '\n')
    .split(/(\n)/)
    .map((piece) => insert(piece, piece === '\n' ? block : attributes));
  const op = change(retain(start), ...pieces, remove(end - start));
  const length = pieces.reduce((sum, piece) => sum + piece.insert.length, 0);
  return { op, range: caret(start + length) };
}

/** Enter: a new line of the same kind; an empty list item leaves the list, and text goes on below a heading. */
export function breakLine(document, range) {
  const [start, end] = [startOf(range), endOf(range)];
  const line = lineAt(linesOf(document), start);
  if (line.length === 0 && line.block.list) return formatLine(line, { list: null, indent: null }, range);
  const atLineEnd = end === line.start + line.length;
  const below = line.block.heading && atLineEnd ? [retain(1, { heading: null })] : [];
  const op = change(retain(start), insert('\n', line.block), remove(end - start), ...below);
  return { op, range: caret(start + 1) };
}

export function deleteBackward(document, range) {
  if (!isCaret(range)) return deleteRange(range);
  const lines = linesOf(document);
  const line = lineAt(lines, range.head);
  if (range.head > line.start) return deleteRange({ anchor: previousPosition(document, range.head), head: range.head });
  if (line.block.list) return formatLine(line, { list: null }, range);
  if (line.block.indent) return formatLine(line, indentTo(line.block.indent - 1), range);
  return line.start > 0 ? joinLines(lineAt(lines, line.start - 1), line) : undefined;
}

export function deleteForward(document, range) {
  if (!isCaret(range)) return deleteRange(range);
  const lines = linesOf(document);
  const line = lineAt(lines, range.head);
  if (range.head < line.start + line.length) {
    return deleteRange({ anchor: range.head, head: nextPosition(document, range.head) });
  }
  const next = lines[lines.indexOf(line) + 1];
  return next && joinLines(line, next);
}

function deleteRange(range) {
  const start = startOf(range);
  return { op: change(retain(start), remove(endOf(range) - start)), range: caret(start) };
}

/** The joined line stays what the first of the two was. */
function joinLines(first, second) {
  const end = first.start + first.length;
  const keys = new Set([...Object.keys(first.block), ...Object.keys(second.block)]);
  const differing = [...keys].filter((key) => first.block[key] !== second.block[key]);
  const block = Object.fromEntries(differing.map((key) => [key, first.block[key] ?? null]));
  return { op: change(retain(end), remove(1), retain(second.length), retain(1, block)), range: caret(end) };
}

function formatLine(line, attributes, range) {
  return { op: change(retain(line.start + line.length), retain(1, attributes)), range };
}

function formatLines(lines, attributesOf, range) {
  const components = [];
  let at = 0;
  for (const line of lines) {
    const end = line.start + line.length;
    components.push(retain(end - at), retain(1, attributesOf(line)));
    at = end + 1;
  }
  return { op: change(...components), range };
}

/** Switches bold, italic or underline of the selected text: off when all of it has it, else on. */
export function toggleMark(document, range, key) {
  const pieces = textBetween(linesOf(document), startOf(range), endOf(range));
  if (pieces.length === 0) return undefined;
  const value = pieces.every(({ attributes }) => attributes[key]) ? null : true;
  const components = [];
  let at = 0;
  for (const piece of pieces) {
    components.push(retain(piece.start - at), retain(piece.end - piece.start, { [key]: value }));
    at = piece.end;
  }
  return { op: change(...components), range };
}

/** Makes the selected lines list items or headings, or plain lines when all of them are that already. */
export function toggleBlock(document, range, key) {
  const lines = linesIn(linesOf(document), startOf(range), endOf(range));
  const value = lines.every(({ block }) => block[key]) ? null : true;
  return formatLines(lines, () => ({ [key]: value }), range);
}

export function indent(document, range, step) {
  const lines = linesIn(linesOf(document), startOf(range), endOf(range));
  const result = formatLines(lines, ({ block }) => indentTo((block.indent ?? 0) + step), range);
  const changes = lines.some(({ block }) => clampIndent((block.indent ?? 0) + step) !== (block.indent ?? 0));
  return changes ? result : undefined;
}

const clampIndent = (level) => Math.min(Math.max(level, 0), DEEPEST_INDENT);
const indentTo = (level) => ({ indent: clampIndent(level) || null });

function textOf(document) {
  return document.map((component) => component.insert).join('');
}

/** The position one character back; a character of two units is one step. */
export function previousPosition(document, position) {
  const character = [...textOf(document).slice(Math.max(position - 2, 0), position)].at(-1);
  return position - (character?.length ?? 0);
}

export function nextPosition(document, position) {
  const text = textOf(document);
  const [character] = [...text.slice(position, position + 2)];
  return Math.min(position + (character?.length ?? 0), text.length - 1);
}
