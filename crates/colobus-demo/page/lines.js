// A document seen as lines: what the view draws and the line commands work on.

import { tidy } from './delta.js';

/** Each line as { start, length (without its newline), runs: [{ text, attributes }], block: attributes of its newline }. */
export function linesOf(document) {
  const lines = [];
  let line = { start: 0, length: 0, runs: [] };
  for (const { insert, attributes } of document) {
    insert.split('\n').forEach((text, index) => {
      if (index > 0) {
        lines.push({ ...line, block: tidy(attributes) ?? {} });
        line = { start: line.start + line.length + 1, length: 0, runs: [] };
      }
      if (text) {
        line.runs.push({ text, attributes: tidy(attributes) ?? {} });
        line.length += text.length;
      }
    });
  }
  return lines;
}

export function lineAt(lines, position) {
  return lines.findLast((line) => line.start <= position) ?? lines[0];
}

/** The lines that a range touches. */
export function linesIn(lines, start, end) {
  return lines.filter((line) => line.start <= end && line.start + line.length >= start);
}

/** The pieces of text between two positions, newlines left out, as { start, end, attributes }. */
export function textBetween(lines, start, end) {
  const pieces = [];
  for (const line of linesIn(lines, start, end)) {
    let at = line.start;
    for (const { text, attributes } of line.runs) {
      const piece = { start: Math.max(at, start), end: Math.min(at + text.length, end), attributes };
      if (piece.start < piece.end) pieces.push(piece);
      at += text.length;
    }
  }
  return pieces;
}
