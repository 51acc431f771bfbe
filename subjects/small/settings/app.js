// Settings with a save button. Broken: saving sends all fields as they were when the page was opened, so that what somebody
// else saved meanwhile is undone. Repaired: only what was changed is sent.
'use strict';

const { page, run } = require('../rooms.js');

run({
  page: page(__dirname),
  room: () => ({ title: '', owner: '', place: '' }),
  joined: (room, send) => send(room),
  post: {
    '/save': async (room, fields, { think, tell }) => {
      await think();
      Object.assign(room, fields);
      tell(room);
      return { json: room };
    },
  },
});
