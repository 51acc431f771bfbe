// A page with ProseMirror, and a relay that keeps every document's changes in memory, on one port.
'use strict';

const { bundle, file, need, part, serve } = require('../serve.js');
const Automerge = need('@automerge/automerge');
const { WebSocketServer } = need('ws');

const EMPTY = Automerge.save(Automerge.from({ text: '' }));
const documents = new Map();

function join(socket, name) {
  if (!documents.has(name)) documents.set(name, { changes: [EMPTY], sockets: new Set() });
  const { changes, sockets } = documents.get(name);
  changes.forEach((change) => socket.send(change));
  sockets.add(socket);
  socket.on('message', (change) => {
    changes.push(change);
    sockets.forEach((other) => other !== socket && other.send(change));
  });
  socket.on('close', () => {
    sockets.delete(socket);
    if (sockets.size === 0) documents.delete(name);
  });
}

serve({
  '/': file('index.html'),
  '/client.js': bundle('client.js'),
  '/prosemirror.css': part('prosemirror-view/style/prosemirror.css'),
}).then((server) => {
  new WebSocketServer({ server }).on('connection', (socket, request) => join(socket, request.url.slice(1)));
});
