// What all subjects have in common: a page and its scripts, served over HTTP on a port of the loopback interface. Packages
// are those of the folder that the server is started in, so that folders with other versions can share one server.
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const { createRequire } = require('node:module');
const path = require('node:path');

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/// A package of the folder that the server is started in.
const need = createRequire(path.join(process.cwd(), 'package.json'));

/// A file as it is.
function file(name) {
  return { type: TYPES[path.extname(name)], body: fs.readFileSync(name) };
}

/// A style sheet or script of a package.
function part(name) {
  return file(path.join('node_modules', name));
}

/// A script and all that it imports, as one.
function bundle(name) {
  const stdin = { contents: fs.readFileSync(name, 'utf8'), resolveDir: process.cwd(), sourcefile: path.basename(name) };
  const options = { stdin, bundle: true, write: false, legalComments: 'none', define: { 'process.env.NODE_ENV': '"production"' } };
  const built = need('esbuild').buildSync(options);
  return { type: TYPES['.js'], body: built.outputFiles[0].text };
}

/// Serves these answers by their paths and resolves with the server once it listens. The port is the first argument of the
/// command line.
function serve(answers) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const answer = Object.hasOwn(answers, pathname) ? answers[pathname] : null;
    if (answer === null) return response.writeHead(404).end('not found');
    // Nothing changes while the server runs.
    response.writeHead(200, { 'Content-Type': `${answer.type}; charset=utf-8`, 'Cache-Control': 'max-age=86400' });
    return response.end(answer.body);
  });
  return new Promise((resolve) => server.listen(Number(process.argv[2]), '127.0.0.1', () => resolve(server)));
}

module.exports = { bundle, file, need, part, serve };
