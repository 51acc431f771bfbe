// A counter. Broken: the page shows the number in whatever it hears last, its own answer or a push, although one may be older
// than the other. Repaired: an older number is left alone.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ count: 0 }),
  joined: (room, send) => send(room.count),
  post: {
    '/add': async (room, amount, { think, tell }) => {
      room.count += amount;
      const { count } = room;
      tell(count);
      await think();
      return { json: count };
    },
  },
});
