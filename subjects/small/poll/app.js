// A poll over requests and server-sent events. Broken: who votes sends the number that the page shows plus one, so that of two votes at
// the same time one is not counted, and all agree. Repaired: the server counts.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ votes: { tea: 0, coffee: 0 }, voters: 0 }),
  joined: (room, send) => send(room),
  post: {
    '/vote': async (room, { option, count }, { broken, think, tell }) => {
      await think();
      room.votes[option] = broken ? count : room.votes[option] + 1;
      room.voters += 1;
      tell(room);
      return { json: room.votes };
    },
  },
});
