// A page with CodeMirror 6, and a Yjs server in memory, on one port.
'use strict';

const { bundle, file, need, serve } = require('../serve.js');
const { setupWSConnection } = need('@y/websocket-server/utils');
const { WebSocketServer } = need('ws');

serve({ '/': file('index.html'), '/client.js': bundle('client.js') }).then((server) =>
  new WebSocketServer({ server }).on('connection', setupWSConnection),
);
