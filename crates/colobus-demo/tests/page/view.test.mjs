import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compose, EMPTY_DOCUMENT, insert, retain } from '../../page/delta.js';
import { linesOf } from '../../page/lines.js';
import { View } from '../../page/view.js';
import { randomEdit, seeded } from './chance.mjs';
import { createRoot } from './fake-dom.mjs';

/** A drawn document that edits are made in. */
function drawn(flaws = []) {
  const root = createRoot();
  const view = new View(root, new Set(flaws));
  let text = EMPTY_DOCUMENT;
  view.draw(linesOf(text), false);
  return {
    edit(op, own) {
      text = compose(text, op);
      view.draw(linesOf(text), own);
    },
    print: () => root.print(),
    text: () => text,
  };
}

function drawnAtOnce(text) {
  const root = createRoot();
  new View(root).draw(linesOf(text), false);
  return root.print();
}

test('what is drawn depends on the document alone, not on the way there, 1000 seeded runs', () => {
  for (let seed = 0; seed < 1000; seed += 1) {
    const random = seeded(seed);
    const page = drawn();
    for (let step = 0; step < 12; step += 1) {
      page.edit(randomEdit(random, page.text()), random() < 0.5);
      assert.equal(page.print(), drawnAtOnce(page.text()), `seed ${seed}, step ${step}`);
    }
  }
});

test('indent-view: text that another user writes at the line start hides the own indent', () => {
  const afterBoth = (flaws, own) => {
    const page = drawn(flaws);
    page.edit([retain(1, { indent: 1 })], own);
    page.edit([insert('a')], false);
    return page.print() === drawnAtOnce(page.text());
  };
  assert.ok(!afterBoth(['indent-view'], true));
  assert.ok(afterBoth(['indent-view'], false), 'the indent of another user is remembered');
  assert.ok(afterBoth([], true));
});

test('marks are classes, lines are blocks, and every newline is text', () => {
  const page = drawn();
  page.edit([insert('a', { bold: true, italic: true }), insert('b'), insert('\n', { list: true, indent: 2 })], true);
  assert.equal(
    page.print(),
    '<>< class=line data-indent=2 data-list=true>< class=bold italic>"a"</><>"b"</>"\\n"</>< class=line>"\\n"</></>',
  );
});
