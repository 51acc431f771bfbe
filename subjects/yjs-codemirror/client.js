// The example of y-codemirror.next's documentation, with a relay server in the place of WebRTC: CodeMirror's basic setup on the Yjs
// document that the query names, with carets, selections and names of the other users.
import { basicSetup, EditorView } from 'codemirror';
import { EditorState } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';

const COLORS = ['#30bced', '#6eeb83', '#ffbc42', '#ecd444', '#ee6352', '#9ac2c9', '#8acb88', '#1be7ff'];

const name = new URLSearchParams(location.search).get('doc') ?? 'welcome';
const ydoc = new Y.Doc();
const provider = new WebsocketProvider(`ws://${location.host}`, name, ydoc);
const text = ydoc.getText('codemirror');
const color = COLORS[Math.floor(Math.random() * COLORS.length)];
provider.awareness.setLocalStateField('user', {
  name: `Anonymous ${Math.floor(Math.random() * 100)}`,
  color,
  colorLight: `${color}33`,
});

const state = EditorState.create({
  doc: text.toString(),
  extensions: [
    keymap.of(yUndoManagerKeymap),
    basicSetup,
    yCollab(text, provider.awareness, { undoManager: new Y.UndoManager(text) }),
  ],
});
new EditorView({ state, parent: document.querySelector('#editor') });

globalThis.colobusSubject = {
  ready: new Promise((resolve) => {
    if (provider.synced) resolve(true);
    else provider.once('sync', () => resolve(true));
  }),
  state: () => text.toString(),
};
