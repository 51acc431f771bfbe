import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, insert, remove, retain } from '../../page/delta.js';
import { Session } from '../../page/session.js';
import { below, pick, randomEdit, seeded } from './chance.mjs';
import { World } from './world.mjs';

function randomRun(random, world, steps, faults) {
  for (let step = 0; step < steps; step += 1) {
    const client = pick(random, world.clients);
    const choice = below(random, faults ? 9 : 6);
    if (choice < 2) client.session.edit(randomEdit(random, client.session.document));
    else if (choice < 4) world.up(client);
    else if (choice < 6) world.down(client);
    else if (choice === 6) world.cut(client);
    else if (choice === 7) client.session.retry();
    else world.comeBack(client);
  }
  world.settle();
}

for (const faults of [false, true]) {
  test(`2000 random runs of three clients converge${faults ? ' with cut connections and edits sent again' : ''}`, () => {
    for (let seed = 0; seed < 2000; seed += 1) {
      const world = new World(Session, 3);
      randomRun(seeded(seed), world, 40, faults);
      assert.deepEqual(new Set(world.documents()), new Set([JSON.stringify(world.server.document)]), `seed ${seed}`);
      assert.ok(world.clients.every(({ session }) => !session.pending));
    }
  });
}

/** A document "a" that both clients have, and the concurrent edits of each. */
function twoUsers(bug, first, second) {
  const world = new World(Session, 2, new Set(bug ? [bug] : []));
  const [one, other] = world.clients;
  one.session.edit([insert('a', { bold: true })]);
  world.settle();
  first.forEach((op) => one.session.edit(op));
  second.forEach((op) => other.session.edit(op));
  return { world, one, other };
}

function differs(bug, first, second) {
  const { world } = twoUsers(bug, first, second);
  world.settle();
  return new Set(world.documents()).size > 1;
}

const type = (position, text, marks) => change(retain(position), insert(text, marks));

test('lost-formatting: text typed into a deleted line is plain for one of the users', () => {
  const scene = [[type(1, 'b', { bold: true })], [[remove(1)]]];
  assert.ok(differs('lost-formatting', ...scene));
  assert.ok(!differs(undefined, ...scene));
});

test('insert-order: texts at one place stand in another order for one of the users', () => {
  const scene = [[type(1, 'b')], [type(1, 'c')]];
  assert.ok(differs('insert-order', ...scene));
  assert.ok(!differs(undefined, ...scene));
});

test('ack-overtaken: waiting edits are misplaced only when the remote edit comes before the acknowledgement', () => {
  const scene = [[type(1, 'w'), type(2, 'ord')], [type(0, 'on ')]];
  const run = (bug, overtaken) => {
    const { world, one, other } = twoUsers(bug, ...scene);
    const order = overtaken ? [other, one] : [one, other];
    order.forEach((client) => world.up(client));
    world.settle();
    return new Set(world.documents()).size;
  };
  assert.equal(run('ack-overtaken', true), 2);
  assert.equal(run('ack-overtaken', false), 1);
  assert.equal(run(undefined, true), 1);
});

test('reconnect-duplicate: an edit whose acknowledgement was lost is doubled for the others', () => {
  const run = (bug) => {
    const { world, one } = twoUsers(bug, [type(1, 'b')], []);
    world.up(one);
    world.cut(one);
    world.settle();
    return world.documents();
  };
  const [author, other] = run('reconnect-duplicate');
  assert.notEqual(author, other);
  const clean = run(undefined);
  assert.equal(clean[0], clean[1]);
});

test('retry-duplicate: an edit whose acknowledgement takes long is doubled for the others', () => {
  const run = (bug) => {
    const { world, one } = twoUsers(bug, [type(1, 'b')], []);
    world.up(one);
    one.session.retry();
    world.settle();
    return world.documents();
  };
  const [author, other] = run('retry-duplicate');
  assert.notEqual(author, other);
  const clean = run(undefined);
  assert.equal(clean[0], clean[1]);
});

test('between-steps: a format made for an older revision is right for the others only', () => {
  const run = (remoteFirst) => {
    const { world, one, other } = twoUsers(undefined, [], [type(0, 'on ')]);
    const { revision } = one.session;
    world.up(other);
    if (remoteFirst) world.down(one);
    one.session.edit([retain(1, { italic: true })], revision);
    world.settle();
    return new Set(world.documents()).size;
  };
  assert.equal(run(true), 2);
  assert.equal(run(false), 1);
});
