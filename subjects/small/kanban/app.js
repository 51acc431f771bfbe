// A board with cards to drag from column to column, over WebSocket. Broken: a move names the place of a card, and every page moves
// its own card at once, so that of two moves at the same time one takes another card. Repaired: a move names the card, and all pages
// show the board that the server has.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ board: { todo: ['paint', 'polish', 'pack'], doing: [], done: [] } }),
  joined: (room, send) => send({ board: room.board }),
  heard: async (room, { from, index, card, to, by }, { broken, think, tell }) => {
    await think();
    const cards = room.board[from];
    const at = broken ? index : cards.indexOf(card);
    // A card that somebody else has moved is where they put it.
    if (cards[at] === undefined) return;
    room.board[to].push(...cards.splice(at, 1));
    tell(broken ? { move: { from, index, to, by } } : { board: room.board });
  },
});
