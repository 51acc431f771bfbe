// A Quill editor on the Yjs document that the query names. `colobusSubject` is what colobus.toml asks.
import Quill from 'quill';
import QuillCursors from 'quill-cursors';
import { QuillBinding } from 'y-quill';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';

Quill.register('modules/cursors', QuillCursors);

const name = new URLSearchParams(location.search).get('doc');
const ydoc = new Y.Doc();
// Clients of one browser would talk behind the network's back otherwise.
const provider = new WebsocketProvider(`ws://${location.host}`, name, ydoc, { disableBc: true });
const quill = new Quill('#editor', {
  theme: 'snow',
  modules: {
    cursors: true,
    history: { userOnly: true },
    toolbar: [['bold', 'italic', 'underline'], [{ header: 1 }, { list: 'ordered' }, { list: 'bullet' }]],
  },
});
const text = ydoc.getText('text');
const binding = new QuillBinding(text, quill, provider.awareness);

globalThis.colobusSubject = {
  ready: new Promise((resolve) => {
    if (provider.synced) resolve(true);
    else provider.once('sync', () => resolve(true));
  }),
  state: () => text.toDelta(),
  binding,
};
