// A page with Quill, and ShareDB in memory, on one port.
'use strict';

const { bundle, file, need, part, serve } = require('../serve.js');
const ShareDB = need('sharedb');
const WebSocketJSONStream = need('@teamwork/websocket-json-stream');
const { WebSocketServer } = need('ws');

ShareDB.types.register(need('rich-text').type);

serve({
  '/': file('index.html'),
  '/client.js': bundle('client.js'),
  '/quill.css': part('quill/dist/quill.snow.css'),
}).then((server) => {
  const share = new ShareDB();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => share.listen(new WebSocketJSONStream(socket)));
});
