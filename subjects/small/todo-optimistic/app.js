// A list of things to do that every page asks for once a second, and that shows what its user adds at once. Broken: the answer to a
// poll that was sent before an entry was added wipes the entry out. Repaired: answers that are older than what is shown are ignored.
'use strict';

const { page, run } = require('../rooms.js');

const answer = ({ version, entries }) => ({ json: { version, entries } });

run({
  page: page(__dirname),
  room: () => ({ version: 0, entries: [] }),
  get: {
    '/list': async (room, _, { think }) => {
      const now = answer(room);
      await think();
      return now;
    },
  },
  post: {
    '/add': async (room, entry, { think }) => {
      await think();
      room.entries = [...room.entries, entry];
      room.version++;
      return answer(room);
    },
  },
});
