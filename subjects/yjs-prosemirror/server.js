// A page with ProseMirror, and a Yjs server in memory, on one port. Folders with other versions of the packages start it too.
'use strict';

const { join } = require('node:path');
const { bundle, file, need, part, serve } = require('../serve.js');
const { setContentInitializor, setupWSConnection } = need('@y/websocket-server/utils');
const { WebSocketServer } = need('ws');
const Y = need('yjs');

// Everybody starts in the same empty paragraph; an editor that finds none makes one of its own.
setContentInitializor(async (ydoc) => {
  ydoc.getXmlFragment('prosemirror').insert(0, [new Y.XmlElement('paragraph')]);
});

serve({
  '/': file(join(__dirname, 'index.html')),
  '/client.js': bundle(join(__dirname, 'client.js')),
  '/prosemirror.css': part('prosemirror-view/style/prosemirror.css'),
  '/menu.css': part('prosemirror-menu/style/menu.css'),
  '/example-setup.css': part('prosemirror-example-setup/style/style.css'),
}).then((server) => new WebSocketServer({ server }).on('connection', setupWSConnection));
