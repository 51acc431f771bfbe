// A Slate editor on the Yjs document that the query names. `colobusSubject` is what colobus.toml asks.
import { withYHistory, withYjs, YjsEditor } from '@slate-yjs/core';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createEditor, Editor } from 'slate';
import { Editable, Slate, withReact } from 'slate-react';
import { WebsocketProvider } from 'y-websocket';
import * as Y from 'yjs';

const name = new URLSearchParams(location.search).get('doc');
const ydoc = new Y.Doc();
const content = ydoc.get('content', Y.XmlText);
// Clients of one browser would talk behind the network's back otherwise.
const provider = new WebsocketProvider(`ws://${location.host}`, name, ydoc, { disableBc: true });
const editor = withReact(withYHistory(withYjs(createEditor(), content)));

const renderLeaf = ({ attributes, children, leaf }) => createElement(leaf.bold ? 'strong' : 'span', attributes, children);

function onKeyDown(event) {
  if (event.ctrlKey && event.key === 'b') {
    event.preventDefault();
    if (Editor.marks(editor)?.bold) Editor.removeMark(editor, 'bold');
    else Editor.addMark(editor, 'bold', true);
  }
}

function App() {
  const [value] = useState(editor.children);
  const editable = createElement(Editable, { renderLeaf, onKeyDown, spellCheck: false });
  return createElement(Slate, { editor, initialValue: value }, editable);
}

async function open() {
  if (!provider.synced) await new Promise((resolve) => provider.once('sync', resolve));
  YjsEditor.connect(editor);
  createRoot(document.getElementById('editor')).render(createElement(App));
  while (document.querySelector('[data-slate-editor]') === null) await new Promise(requestAnimationFrame);
  return true;
}

globalThis.colobusSubject = { ready: open(), state: () => editor.children };
