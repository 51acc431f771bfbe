// A list of things to do that pages learn of by long polling: the server answers when there are entries that the page does not
// know, or after twenty seconds (POLL, in milliseconds). Broken: the page asks for what comes after the newest entry that *exists* instead of the newest
// that it was told, so that what arrives between two requests is never told. Repaired: it asks by what it has.
'use strict';

const { page, run } = require('../rooms.js');

const LONGEST = Number(process.env.POLL ?? 20000);

run({
  page: page(__dirname),
  room: () => ({ entries: [], waiting: new Set() }),
  get: {
    '/list': (room) => ({ json: room.entries }),
    '/wait': (room, query, { broken }) => {
      const known = broken ? room.entries.length : Number(query.get('known'));
      const answer = () => ({ json: { entries: room.entries.slice(known), known: room.entries.length } });
      if (known < room.entries.length) return answer();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          room.waiting.delete(wake);
          resolve(answer());
        };
        const timer = setTimeout(wake, LONGEST);
        room.waiting.add(wake);
      });
    },
  },
  post: {
    '/add': async (room, entry, { think }) => {
      await think();
      room.entries.push(entry);
      [...room.waiting].forEach((wake) => wake());
      return { json: entry };
    },
  },
});
