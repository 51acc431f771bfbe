// A list of things to do: written by requests, told by server-sent events. Broken: who adds an entry sends the whole list as
// they see it, so that of two who add at the same time one loses. Repaired: the entry alone is sent.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ entries: [] }),
  joined: (room, send) => send(room.entries),
  post: {
    '/add': async (room, entry, { think, tell }) => {
      await think();
      room.entries.push(entry);
      tell(room.entries);
      return { json: entry };
    },
    '/replace': async (room, entries, { think, tell }) => {
      await think();
      room.entries = entries;
      tell(room.entries);
      return { json: entries };
    },
  },
});
