// Firepad's page, and a Firebase server in memory for every document that somebody has open, on one port. One server for
// all would keep every change of every document, and get slower with each.
'use strict';

const { EventEmitter } = require('node:events');
const { file, need, part, serve } = require('../serve.js');
const FirebaseServer = need('firebase-server');

const databases = new Map();

/// The database that a host name stands for: opened by whoever comes first, forgotten when the last one leaves.
function database(host, address) {
  if (databases.has(host)) return databases.get(host);
  const door = Object.assign(new EventEmitter(), { address: () => address });
  const firebase = new FirebaseServer({ server: door }, host, {});
  firebase.wss.on('connection', (socket) => {
    socket.on('close', () => {
      if (firebase.wss.clients.size > 0) return;
      databases.delete(host);
      firebase.app.delete();
    });
  });
  databases.set(host, door);
  return door;
}

serve({
  '/': file('index.html'),
  '/client.js': file('client.js'),
  '/codemirror.js': part('codemirror/lib/codemirror.js'),
  '/codemirror.css': part('codemirror/lib/codemirror.css'),
  '/firebase.js': part('firebase/firebase.js'),
  '/firepad.js': part('firepad/dist/firepad.js'),
  '/firepad.css': part('firepad/dist/firepad.css'),
}).then((server) => {
  server.on('upgrade', (request, socket, head) => {
    database(request.headers.host, server.address()).emit('upgrade', request, socket, head);
  });
});
