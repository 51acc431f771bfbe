// What the small applications have in common: a page for each, rooms by the name of their document, answers that take their
// time, and pushes to everybody in a room. An application is a module with a page and handlers:
//
//   page: the HTML of its page
//   room(options): the state of an empty room
//   post: { path: (room, body, context) => answer }        an answer is { status, json }, or a promise of one
//   get:  { path: (room, query, context) => answer }
//   joined(room, send): what a client is told that has just connected
//
// `context.tell(message)` pushes to every client of the room, `context.think()` takes as long as the server does for anything.
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { accept } = require('./socket.js');

/// How long the server takes: DELAY milliseconds, and up to JITTER more, drawn from SEED; from the SLOWER_AFTER-th time on, SLOWER
/// milliseconds more.
function thinking(environment) {
  const delay = Number(environment.DELAY ?? 0);
  const slower = Number(environment.SLOWER ?? 0);
  const slowerAfter = Number(environment.SLOWER_AFTER ?? Infinity);
  let times = 0;
  const jitter = Number(environment.JITTER ?? 0);
  let state = Number(environment.SEED ?? 1) >>> 0;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return () => {
    const wait = delay + Math.floor(draw() * jitter) + (++times >= slowerAfter ? slower : 0);
    return wait === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, wait));
  };
}

function read(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString() || 'null'));
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
  });
}

function serve(application, port, environment) {
  const broken = environment.BUG === '1';
  const think = thinking(environment);
  const rooms = new Map();

  const enter = (name) => {
    if (!rooms.has(name)) rooms.set(name, { state: application.room({ broken }), clients: new Set() });
    return rooms.get(name);
  };
  const context = (room) => ({
    broken,
    think,
    tell: (message) => room.clients.forEach((send) => send(message)),
  });
  const join = (room, send, leave) => {
    room.clients.add(send);
    leave(() => room.clients.delete(send));
    application.joined?.(room.state, send);
  };

  const answer = (response, { status = 200, json = {} }) => {
    if (response.destroyed) return;
    response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify(json));
  };

  const handle = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const room = enter(searchParams.get('doc') ?? 'lobby');
    if (pathname === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
      response.end(application.page.replace('/*broken*/false', String(broken)));
    } else if (pathname === '/events' && application.joined) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write(': connected\n\n');
      join(room, (message) => response.write(`data: ${JSON.stringify(message)}\n\n`), (gone) => response.on('close', gone));
    } else if (request.method === 'POST' && application.post?.[pathname]) {
      answer(response, await application.post[pathname](room.state, await read(request), context(room)));
    } else if (request.method === 'GET' && application.get?.[pathname]) {
      answer(response, await application.get[pathname](room.state, searchParams, context(room)));
    } else {
      answer(response, { status: 404, json: { error: `nothing at ${pathname}` } });
    }
  };

  const server = http.createServer((request, response) => {
    handle(request, response).catch((error) => answer(response, { status: 500, json: { error: error.message } }));
  });
  server.on('upgrade', (request, socket) => {
    const room = enter(new URL(request.url, 'http://localhost').searchParams.get('doc') ?? 'lobby');
    const heard = (message) => application.heard(room.state, message, context(room));
    accept(request, socket, (send, leave) => join(room, send, leave), heard);
  });
  server.listen(port, '127.0.0.1');
}

/// The page of the application in this folder.
function page(folder) {
  return fs.readFileSync(path.join(folder, 'page.html'), 'utf8');
}

/// The program: `node app.js PORT`.
function run(application) {
  serve(application, Number(process.argv[2]), process.env);
}

module.exports = { page, run };
