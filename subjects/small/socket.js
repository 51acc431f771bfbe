// WebSocket for the small applications: text messages of up to 64 kB, pings answered, nothing else. Written out so that these
// applications start without any package.
'use strict';

const crypto = require('node:crypto');

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

function frame(opcode, payload) {
  const short = payload.length < 126;
  const head = Buffer.alloc(short ? 2 : 4);
  head[0] = 0x80 | opcode;
  head[1] = short ? payload.length : 126;
  if (!short) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

/// The first frame in these bytes, and what is left; or null if more has to come.
function split(bytes) {
  if (bytes.length < 6) return null;
  let length = bytes[1] & 0x7f;
  let at = 2;
  if (length === 126) {
    if (bytes.length < 8) return null;
    length = bytes.readUInt16BE(2);
    at = 4;
  }
  if (bytes.length < at + 4 + length) return null;
  const mask = bytes.subarray(at, at + 4);
  const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + length)).map((byte, index) => byte ^ mask[index % 4]);
  return { opcode: bytes[0] & 0xf, payload, rest: bytes.subarray(at + 4 + length) };
}

/// Opens the connection: `joined(send, leave)` once, `heard(message)` for every message.
function accept(request, socket, joined, heard) {
  const key = crypto.createHash('sha1').update(request.headers['sec-websocket-key'] + GUID).digest('base64');
  socket.setNoDelay(true);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let found = split(bytes); found !== null; found = split(bytes)) {
      bytes = found.rest;
      if (found.opcode === TEXT) heard(JSON.parse(found.payload.toString()));
      if (found.opcode === PING) socket.write(frame(PONG, found.payload));
      if (found.opcode === CLOSE) socket.end(frame(CLOSE, found.payload));
    }
  });
  socket.on('error', () => socket.destroy());
  joined(
    (message) => socket.writable && socket.write(frame(TEXT, Buffer.from(JSON.stringify(message)))),
    (gone) => socket.on('close', gone),
  );
}

module.exports = { accept };
