// A ProseMirror editor on the Yjs document that the query names. `colobusSubject` is what colobus.toml asks.
import { exampleSetup } from 'prosemirror-example-setup';
import { keymap } from 'prosemirror-keymap';
import { schema } from 'prosemirror-schema-basic';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { redo, undo, yCursorPlugin, ySyncPlugin, yUndoPlugin } from 'y-prosemirror';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';

const name = new URLSearchParams(location.search).get('doc');
const ydoc = new Y.Doc();
// Clients of one browser would talk behind the network's back otherwise.
const provider = new WebsocketProvider(`ws://${location.host}`, name, ydoc, { disableBc: true });
const fragment = ydoc.getXmlFragment('prosemirror');
const view = new EditorView(document.getElementById('editor'), {
  state: EditorState.create({
    schema,
    plugins: [
      ySyncPlugin(fragment),
      yCursorPlugin(provider.awareness),
      yUndoPlugin(),
      keymap({ 'Mod-z': undo, 'Mod-y': redo, 'Mod-Shift-z': redo }),
    ].concat(exampleSetup({ schema, history: false })),
  }),
});

globalThis.colobusSubject = {
  ready: new Promise((resolve) => {
    if (provider.synced) resolve(true);
    else provider.once('sync', () => resolve(true));
  }),
  state: () => fragment.toJSON(),
  view,
};
