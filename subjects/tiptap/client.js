// A Tiptap editor on the Yjs document that the query names. `colobusSubject` is what colobus.toml asks.
import { Editor } from '@tiptap/core';
import Collaboration from '@tiptap/extension-collaboration';
import StarterKit from '@tiptap/starter-kit';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';

const name = new URLSearchParams(location.search).get('doc');
const ydoc = new Y.Doc();
// Clients of one browser would talk behind the network's back otherwise.
const provider = new WebsocketProvider(`ws://${location.host}`, name, ydoc, { disableBc: true });
const editor = new Editor({
  element: document.getElementById('editor'),
  // The history of a shared document is Yjs's.
  extensions: [StarterKit.configure({ undoRedo: false }), Collaboration.configure({ document: ydoc, field: 'tiptap' })],
});

globalThis.colobusSubject = {
  ready: new Promise((resolve) => {
    if (provider.synced) resolve(true);
    else provider.once('sync', () => resolve(true));
  }),
  state: () => ydoc.getXmlFragment('tiptap').toJSON(),
  editor,
};
