// A list of things to do that every page asks for once a second. Broken: who adds an entry sends the whole list as they see
// it. Repaired: the entry alone is sent.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ entries: [] }),
  get: {
    '/list': async (room, _, { think }) => {
      await think();
      return { json: room.entries };
    },
  },
  post: {
    '/add': async (room, entry, { think }) => {
      await think();
      room.entries.push(entry);
      return { json: room.entries };
    },
    '/replace': async (room, entries, { think }) => {
      await think();
      room.entries = entries;
      return { json: room.entries };
    },
  },
});
