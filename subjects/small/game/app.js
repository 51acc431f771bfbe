// Noughts and crosses for two, over WebSocket. Broken: an own mark is drawn at once and the server tells every move to everybody, so
// that two who take the same field both have it. Repaired: the server takes the first, and pages show what the server has.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ fields: Array(9).fill(''), players: 0 }),
  joined: (room, send) => {
    const mark = 'XO'[room.players % 2];
    room.players += 1;
    send({ kind: 'all', fields: room.fields, mark });
  },
  heard: async (room, { field, mark }, { broken, think, tell }) => {
    await think();
    if (!broken && room.fields[field] !== '') return;
    room.fields[field] = mark;
    tell({ kind: 'move', field, mark });
  },
});
