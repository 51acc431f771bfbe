// A chat over WebSocket. Broken: everybody shows an own message at once and those of others when they come, so that two who
// write at the same time read them in different orders. Repaired: all show them in the server's order.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ messages: [] }),
  joined: (room, send) => send({ kind: 'all', messages: room.messages }),
  heard: async (room, message, { think, tell }) => {
    await think();
    room.messages.push(message);
    tell({ kind: 'message', message });
  },
});
