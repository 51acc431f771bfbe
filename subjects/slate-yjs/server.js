// A page with Slate, and a Yjs server in memory, on one port.
'use strict';

const { bundle, file, need, serve } = require('../serve.js');
const { setContentInitializor, setupWSConnection } = need('@y/websocket-server/utils');
const { slateNodesToInsertDelta } = need('@slate-yjs/core');
const { WebSocketServer } = need('ws');
const Y = need('yjs');

// Everybody starts in the same empty paragraph.
setContentInitializor(async (ydoc) => {
  const paragraph = { type: 'paragraph', children: [{ text: '' }] };
  ydoc.get('content', Y.XmlText).applyDelta(slateNodesToInsertDelta([paragraph]));
});

serve({
  '/': file('index.html'),
  '/client.js': bundle('client.js'),
}).then((server) => new WebSocketServer({ server }).on('connection', setupWSConnection));
