// Puts the page together, and shows it to scripts as `colobusDemo`.

import { Connection } from './connection.js';
import { Editor } from './editor.js';
import { PeerSession } from './peer.js';
import { Presence } from './presence.js';
import { Remotes } from './remotes.js';
import { Session } from './session.js';
import { drawUsers } from './users.js';
import { View } from './view.js';

// How long an edit may be on its way before it is sent again.
const RETRY_MS = 15_000;

const element = (id) => document.getElementById(id);

const flaws = new Set(JSON.parse(element('config').textContent).bugs);
const root = element('editor');

let isReady;
const ready = new Promise((resolve) => {
  isReady = resolve;
});

let isEmptied;

const connection = new Connection({
  document: new URLSearchParams(location.search).get('doc') || 'welcome',
  identity: () => session.identity,
  listener: { opened: () => session.resend(), message: receive, lost: showStatus },
});
const send = (message) => connection.send(message);
const session = new (flaws.has('tp2-peer') ? PeerSession : Session)({
  send,
  flaws,
  later: (run) => setTimeout(run, RETRY_MS),
  listener: {
    reset: () => editor.reset(),
    remoteEdit(op, author, before) {
      presence.remoteEdit(op, author);
      editor.remoteEdit(op, before);
    },
    settled() {},
  },
});
const presence = new Presence({ session, send, flaws });
const view = new View(root, flaws);
const remotes = new Remotes(element('remotes'), root);
const editor = new Editor({ root, toolbar: element('toolbar'), session, presence, view, flaws, redraw });

function receive(message) {
  switch (message.type) {
    case 'welcome':
      session.welcome(message);
      presence.welcome(message.presence);
      showUsers(message.users);
      isReady();
      break;
    case 'edit':
      session.receive(message);
      break;
    case 'presence':
      presence.receive(message);
      break;
    case 'users':
      showUsers(message.users);
      break;
    case 'emptied':
      session.restart();
      presence.restart();
      editor.restart();
      isEmptied?.();
      break;
    case 'rejected':
      console.warn(`The server refused an edit: ${message.reason}`);
      break;
    default:
  }
  redraw();
}

function showUsers(users) {
  presence.keepOnly(users);
  drawUsers(element('users'), users);
}

function redraw() {
  presence.tell(editor.range);
  remotes.draw(presence.others);
  showStatus();
}

function showStatus() {
  const isOpen = connection.socket?.readyState === WebSocket.OPEN;
  const status = isOpen ? (session.pending ? 'Saving…' : 'Saved') : 'Offline';
  element('status').textContent = status;
}

globalThis.addEventListener('resize', () => remotes.draw(presence.others));
globalThis.colobusDemo = {
  ready,
  state: () => session.document,
  pending: () => session.pending,
  /** Empties the document for everyone who has it open; there when this page has heard of it. */
  reset: () =>
    new Promise((resolve) => {
      isEmptied = resolve;
      send({ type: 'empty' });
    }),
};
connection.open();
