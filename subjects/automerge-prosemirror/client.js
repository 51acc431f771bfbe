// A ProseMirror editor on the Automerge document that the query names. `colobusSubject` is what colobus.toml asks.
import * as Automerge from '@automerge/automerge/slim';
import { automergeWasmBase64 } from '@automerge/automerge/automerge.wasm.base64';
import { init } from '@automerge/prosemirror';
import { baseKeymap, toggleMark } from 'prosemirror-commands';
import { keymap } from 'prosemirror-keymap';
import { EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';

/// A document that sends its changes through a socket and takes those of others: what the binding calls a handle.
class Handle {
  constructor(socket, saved) {
    this.socket = socket;
    this.listeners = new Set();
    this.current = Automerge.load(saved);
    socket.onmessage = ({ data }) => this.apply((doc, options) => Automerge.applyChanges(doc, [new Uint8Array(data)], options)[0]);
  }

  doc() {
    return this.current;
  }

  change(edit) {
    const before = this.current;
    this.apply((doc, options) => Automerge.change(doc, options, edit));
    if (this.current !== before) this.socket.send(Automerge.getLastLocalChange(this.current));
  }

  apply(update) {
    let happened = null;
    const patchCallback = (patches, patchInfo) => (happened = { patches, patchInfo });
    this.current = update(this.current, { patchCallback });
    if (happened === null) return;
    for (const listener of this.listeners) listener({ handle: this, doc: this.current, ...happened });
  }

  on(event, listener) {
    this.listeners.add(listener);
  }

  off(event, listener) {
    this.listeners.delete(listener);
  }
}

/// The document comes first.
function connect(name) {
  const socket = new WebSocket(`ws://${location.host}/${name}`);
  socket.binaryType = 'arraybuffer';
  return new Promise((resolve) => {
    socket.onmessage = ({ data }) => resolve(new Handle(socket, new Uint8Array(data)));
  });
}

async function open() {
  await Automerge.initializeBase64Wasm(automergeWasmBase64);
  const handle = await connect(new URLSearchParams(location.search).get('doc'));
  const { schema, pmDoc, plugin } = init(handle, ['text']);
  const bold = toggleMark(schema.marks.strong);
  const plugins = [keymap({ ...baseKeymap, 'Mod-b': bold }), plugin];
  new EditorView(document.getElementById('editor'), { state: EditorState.create({ schema, plugins, doc: pmDoc }) });
  colobusSubject.state = () => Automerge.spans(handle.doc(), ['text']);
  return true;
}

globalThis.colobusSubject = { ready: open() };
