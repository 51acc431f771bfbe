import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, insert, remove, retain } from '../../page/delta.js';
import { PeerSession } from '../../page/peer.js';
import { below, pick, randomEdit, seeded } from './chance.mjs';
import { World } from './world.mjs';

const peers = (count) => new World(PeerSession, count, new Set(['tp2-peer']));

test('tp2-peer: two clients always converge, 1000 seeded runs', () => {
  for (let seed = 0; seed < 1000; seed += 1) {
    const random = seeded(seed);
    const world = peers(2);
    for (let step = 0; step < 16; step += 1) {
      const client = pick(random, world.clients);
      const choice = below(random, 3);
      if (choice === 0) client.session.edit(randomEdit(random, client.session.document));
      else if (choice === 1) world.up(client);
      else world.down(client);
    }
    world.settle();
    assert.equal(new Set(world.documents()).size, 1, `seed ${seed}`);
  }
});

test('tp2-peer: three clients that type around a deleted character disagree', () => {
  const world = peers(3);
  const [writer, other, deleter] = world.clients;
  writer.session.edit([insert('x')]);
  world.settle();
  writer.session.edit(change(retain(1), insert('a')));
  other.session.edit([insert('on ')]);
  deleter.session.edit([remove(1)]);
  world.settle();
  assert.deepEqual(world.documents().map((document) => JSON.parse(document)[0].insert), ['on a\n', 'on a\n', 'aon \n']);
});

test('tp2-peer: two words typed at the same time are integrated at once', () => {
  const world = peers(2);
  for (const { session } of world.clients) [...'colobus monkey'].forEach((letter) => session.edit([insert(letter)]));
  world.settle();
  assert.equal(new Set(world.documents()).size, 1);
});
