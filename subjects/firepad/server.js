// Firepad's page and a Firebase server in memory, on one port.
'use strict';

const { file, need, part, serve } = require('../serve.js');
const FirebaseServer = need('firebase-server');

serve({
  '/': file('index.html'),
  '/client.js': file('client.js'),
  '/codemirror.js': part('codemirror/lib/codemirror.js'),
  '/codemirror.css': part('codemirror/lib/codemirror.css'),
  '/firebase.js': part('firebase/firebase.js'),
  '/firepad.js': part('firepad/dist/firepad.js'),
  '/firepad.css': part('firepad/dist/firepad.css'),
}).then((server) => {
  const { port } = server.address();
  return new FirebaseServer({ server }, `fp.firebaseio.localhost:${port}`, {});
});
