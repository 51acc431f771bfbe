// One line of text that is written together: every letter has a place between its neighbours, as in editors without a server that
// transforms. Broken: letters at equal places stand in the order in which they arrived. Repaired: in the order of their ids.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ letters: [] }),
  joined: (room, send) => send({ kind: 'all', letters: room.letters }),
  heard: async (room, letter, { think, tell }) => {
    await think();
    room.letters.push(letter);
    tell({ kind: 'letter', letter });
  },
});
