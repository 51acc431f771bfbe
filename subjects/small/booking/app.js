// Seats to book. Broken: the server looks whether a seat is free, waits for its database, and writes, so that two who book at
// the same time both hear that they have it. Repaired: it looks again when it writes; the second is told that the seat is gone.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ seats: [null, null, null] }),
  joined: (room, send) => send(room.seats),
  post: {
    '/book': async (room, { seat, name }, { broken, think, tell }) => {
      const taken = { status: 409, json: { error: `Seat ${seat + 1} is taken.` } };
      if (room.seats[seat] !== null) return taken;
      await think();
      await new Promise((resolve) => setImmediate(resolve));
      if (!broken && room.seats[seat] !== null) return taken;
      room.seats[seat] = name;
      tell(room.seats);
      return { json: { seat, name } };
    },
  },
});
