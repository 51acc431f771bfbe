// A whiteboard on a canvas, over WebSocket; every user has a pen of another colour. Broken: an own line is drawn at once and those of
// others when they come, so that where two lines cross, each user has the other's on top. Repaired: all lines are drawn in the
// order of the server.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ lines: [], users: 0 }),
  joined: (room, send) => {
    const pen = ['crimson', 'navy', 'green', 'orange'][room.users % 4];
    room.users += 1;
    send({ kind: 'all', lines: room.lines, pen });
  },
  heard: async (room, line, { think, tell }) => {
    await think();
    room.lines.push(line);
    tell({ kind: 'line', line });
  },
});
