import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../page/commands.js';
import { compose, insert, invert } from '../../page/delta.js';
import { caret } from '../../page/ranges.js';
import { UndoHistory } from '../../page/undo.js';
import { randomEdit, seeded } from './chance.mjs';

const BOLD = [insert('ab', { bold: true }), insert('\n')];
const after = (document, { op }) => compose(document, op);

test('typed text takes over the format before it, or that of the line start', () => {
  assert.deepEqual(after(BOLD, commands.insertText(BOLD, caret(2), 'c')), [insert('abc', { bold: true }), insert('\n')]);
  assert.deepEqual(after(BOLD, commands.insertText(BOLD, caret(0), 'c')), [insert('cab', { bold: true }), insert('\n')]);
  assert.deepEqual(after(BOLD, commands.insertText(BOLD, caret(2), 'c', {}))[1], insert('c\n'));
});

test('typing replaces the selection', () => {
  const { op, range } = commands.insertText(BOLD, { anchor: 2, head: 0 }, 'x');
  assert.deepEqual(compose(BOLD, op), [insert('x', { bold: true }), insert('\n')]);
  assert.deepEqual(range, caret(1));
});

test('a mark goes off only when all of the selection has it, and never to newlines', () => {
  const document = [insert('a', { bold: true }), insert('b\nc\n')];
  const bold = after(document, commands.toggleMark(document, { anchor: 0, head: 4 }, 'bold'));
  assert.deepEqual(bold, [
    insert('ab', { bold: true }), insert('\n'), insert('c', { bold: true }), insert('\n'),
  ]);
  assert.deepEqual(after(bold, commands.toggleMark(bold, { anchor: 4, head: 0 }, 'bold')), [insert('ab\nc\n')]);
  assert.equal(commands.toggleMark(document, caret(1), 'bold'), undefined);
});

test('Enter continues a list, and ends it on an empty item', () => {
  const item = [insert('a'), insert('\n', { list: true })];
  const two = after(item, commands.breakLine(item, caret(1)));
  assert.deepEqual(two, [insert('a'), insert('\n\n', { list: true })]);
  assert.deepEqual(after(two, commands.breakLine(two, caret(2))), [insert('a'), insert('\n', { list: true }), insert('\n')]);
});

test('below a heading goes on as text', () => {
  const heading = [insert('a'), insert('\n', { heading: true })];
  const below = after(heading, commands.breakLine(heading, caret(1)));
  assert.deepEqual(below, [insert('a'), insert('\n', { heading: true }), insert('\n')]);
});

test('Backspace at a line start undoes list and indent before it joins lines', () => {
  let document = [insert('a\nb'), insert('\n', { indent: 1, list: true })];
  document = after(document, commands.deleteBackward(document, caret(2)));
  assert.deepEqual(document, [insert('a\nb'), insert('\n', { indent: 1 })]);
  document = after(document, commands.deleteBackward(document, caret(2)));
  assert.deepEqual(document, [insert('a\nb\n')]);
  document = after(document, commands.deleteBackward(document, caret(2)));
  assert.deepEqual(document, [insert('ab\n')]);
  assert.equal(commands.deleteBackward(document, caret(0)), undefined);
});

test('joined lines stay what the first one was', () => {
  const document = [insert('a'), insert('\n', { list: true }), insert('b'), insert('\n', { heading: true })];
  const joined = [insert('ab'), insert('\n', { list: true })];
  assert.deepEqual(after(document, commands.deleteForward(document, caret(1))), joined);
});

test('a character of two units is deleted whole', () => {
  const document = [insert('🐒\n')];
  assert.deepEqual(after(document, commands.deleteBackward(document, caret(2))), [insert('\n')]);
  assert.deepEqual(after(document, commands.deleteForward(document, caret(0))), [insert('\n')]);
});

test('the indent stays between none and six', () => {
  let document = [insert('a\n')];
  assert.equal(commands.indent(document, caret(0), -1), undefined);
  for (let level = 1; level <= 6; level += 1) {
    document = after(document, commands.indent(document, caret(0), 1));
    assert.equal(document[1].attributes.indent, level);
  }
  assert.equal(commands.indent(document, caret(0), 1), undefined);
});

test('an inverted edit leads back, 2000 seeded cases', () => {
  for (let seed = 0; seed < 2000; seed += 1) {
    const random = seeded(seed);
    let document = [insert('abc\ndef', { italic: true }), insert('\n')];
    for (let step = 0; step < 5; step += 1) {
      const op = randomEdit(random, document);
      const next = compose(document, op);
      assert.deepEqual(compose(next, invert(op, document)), document, `seed ${seed}`);
      document = next;
    }
  }
});

test('undo takes back the own edit and leaves what others did', () => {
  const history = new UndoHistory();
  let document = [insert('a\n')];
  const own = commands.insertText(document, caret(1), 'b').op;
  history.record(invert(own, document));
  document = compose(document, own);
  const remote = commands.insertText(document, caret(0), 'xyz').op;
  history.remoteEdit(remote);
  document = compose(document, remote);
  const undo = history.step(true, (op) => invert(op, document));
  document = compose(document, undo);
  assert.deepEqual(document, [insert('xyza\n')]);
  const redo = history.step(false, (op) => invert(op, document));
  assert.deepEqual(compose(document, redo), [insert('xyzab\n')]);
});
