// A page with Quill, and a Yjs server in memory, on one port.
'use strict';

const { bundle, file, need, part, serve } = require('../serve.js');
const { setContentInitializor, setupWSConnection } = need('@y/websocket-server/utils');
const { WebSocketServer } = need('ws');

// Quill always shows a last line. A document without it makes y-quill add one more when somebody formats that line.
setContentInitializor(async (ydoc) => ydoc.getText('text').insert(0, '\n'));

serve({
  '/': file('index.html'),
  '/client.js': bundle('client.js'),
  '/quill.css': part('quill/dist/quill.snow.css'),
}).then((server) => new WebSocketServer({ server }).on('connection', setupWSConnection));
