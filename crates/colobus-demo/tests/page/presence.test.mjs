import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insert, remove, retain } from '../../page/delta.js';
import { Presence } from '../../page/presence.js';
import { caret } from '../../page/ranges.js';

function presenceWith({ flaws = [], pending = false, clock = { now: 1000 } } = {}) {
  const sent = [];
  const session = { pending, revision: 3, client: 1, place: (range) => range };
  const presence = new Presence({
    session,
    send: (message) => sent.push(message.range),
    flaws: new Set(flaws),
    now: () => clock.now,
  });
  return { presence, session, sent, clock };
}

const SELECTED = { anchor: 1, head: 0 };

test('a selection is removed when its owner collapses it', () => {
  const { presence } = presenceWith({ pending: true });
  presence.receive({ client: 2, range: SELECTED });
  assert.deepEqual(presence.others.get(2), SELECTED);
  presence.receive({ client: 2, range: caret(1) });
  assert.deepEqual(presence.others.get(2), caret(1));
});

test('stale-selection: the caret that ends a selection is missed while the user has unconfirmed edits or just typed', () => {
  for (const busy of ['pending', 'typed']) {
    const { presence, clock } = presenceWith({ flaws: ['stale-selection'], pending: busy === 'pending' });
    if (busy === 'typed') presence.ownEdit([insert('b')]);
    presence.receive({ client: 2, range: SELECTED });
    presence.receive({ client: 2, range: caret(1) });
    assert.deepEqual(presence.others.get(2), SELECTED);
    if (busy === 'typed') {
      clock.now += 5000;
      presence.receive({ client: 2, range: caret(1) });
      assert.deepEqual(presence.others.get(2), caret(1));
    }
  }
});

test('the selection of another user moves with edits', () => {
  const { presence } = presenceWith();
  presence.receive({ client: 2, range: { anchor: 2, head: 4 } });
  presence.ownEdit([insert('xy')]);
  assert.deepEqual(presence.others.get(2), { anchor: 4, head: 6 });
  presence.remoteEdit([retain(5), remove(3)], 3);
  assert.deepEqual(presence.others.get(2), { anchor: 4, head: 5 });
  presence.remoteEdit([retain(4), remove(1)], 2);
  assert.deepEqual(presence.others.get(2), caret(4));
});

test('a caret is told only when the others cannot infer it', () => {
  const { presence, session, sent } = presenceWith();
  presence.tell(caret(0));
  presence.ownEdit([insert('a')]);
  presence.tell(caret(1));
  assert.deepEqual(sent, [caret(0)]);
  presence.tell(SELECTED);
  session.pending = true;
  presence.tell(caret(1));
  assert.deepEqual(sent, [caret(0), SELECTED]);
  session.pending = false;
  presence.tell(caret(1));
  assert.deepEqual(sent, [caret(0), SELECTED, caret(1)]);
});

test('a selection is told again after an edit of someone else', () => {
  const { presence, sent } = presenceWith();
  presence.tell(SELECTED);
  presence.remoteEdit([retain(1), insert('x')], 2);
  presence.tell(SELECTED);
  assert.deepEqual(sent, [SELECTED, SELECTED]);
});

test('who leaves takes the caret along', () => {
  const { presence } = presenceWith();
  presence.receive({ client: 2, range: caret(0) });
  presence.keepOnly([1, 3]);
  assert.equal(presence.others.size, 0);
});
