// A page with Tiptap, and a Yjs server in memory, on one port.
'use strict';

const { join } = require('node:path');
const { bundle, file, need, serve } = require('../serve.js');
const { setContentInitializor, setupWSConnection } = need('@y/websocket-server/utils');
const { WebSocketServer } = need('ws');
const Y = need('yjs');

// Everybody starts in the same empty paragraph; an editor that finds none makes one of its own.
setContentInitializor(async (ydoc) => {
  ydoc.getXmlFragment('tiptap').insert(0, [new Y.XmlElement('paragraph')]);
});

serve({
  '/': file(join(__dirname, 'index.html')),
  '/client.js': bundle(join(__dirname, 'client.js')),
}).then((server) => new WebSocketServer({ server }).on('connection', setupWSConnection));
