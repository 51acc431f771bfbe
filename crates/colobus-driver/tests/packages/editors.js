// Each editor with a caret in its second line, as its name in the address says: window.text() is what it contains,
// window.models() all that each of them knows of it, window.put() puts the caret there and window.away() somewhere else.
import { EditorView, basicSetup } from "codemirror";
import CodeMirror from "codemirror5";
import { baseKeymap, toggleMark } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import { DOMParser } from "prosemirror-model";
import { schema } from "prosemirror-schema-basic";
import { EditorState, TextSelection } from "prosemirror-state";
import { EditorView as ProseMirror } from "prosemirror-view";
import Quill from "quill";
import { IndexeddbPersistence } from "y-indexeddb";
import * as Y from "yjs";

const LINES = ["one", "two", "three"];

const button = (className, text) => Object.assign(document.createElement("button"), { className, textContent: text });

const kinds = {
  codemirror5(host) {
    const editor = CodeMirror(host, { value: LINES.join("\n") });
    const go = (line, column) => (editor.focus(), editor.setCursor(line, column));
    return { text: () => editor.getValue(), put: () => go(1, 2), away: () => go(0, 0) };
  },
  codemirror6(host) {
    const editor = new EditorView({ doc: LINES.join("\n"), extensions: [basicSetup], parent: host });
    const go = (anchor) => (editor.focus(), editor.dispatch({ selection: { anchor } }));
    const text = () => editor.state.doc.toString();
    return { text, model: text, put: () => go(6), away: () => go(0) };
  },
  // Whether the page lets others find its editor or not.
  quill(host) {
    window.Quill = Quill;
    return kinds["quill-hidden"](host);
  },
  "quill-hidden"(host) {
    const toolbar = host.parentNode.insertBefore(document.createElement("div"), host);
    toolbar.append(button("ql-bold", "Bold"));
    const editor = new Quill(host, { modules: { toolbar } });
    editor.setText(LINES.join("\n"));
    const go = (index) => (editor.focus(), editor.setSelection(index, 0));
    return { text: () => editor.getText().trimEnd(), model: () => editor.getContents(), put: () => go(6), away: () => go(0) };
  },
  prosemirror(host) {
    const content = document.createElement("div");
    content.innerHTML = "<p>one</p><p>tw<strong>o</strong></p><p>three</p>";
    const doc = DOMParser.fromSchema(schema).parse(content);
    const toggle = toggleMark(schema.marks.strong);
    const keys = keymap({ ...baseKeymap, "Mod-b": toggle });
    const editor = new ProseMirror(host, { state: EditorState.create({ doc, plugins: [keys] }) });
    const bold = button("bold", "Bold");
    host.before(bold);
    // As toolbars of editors do: the selection must not go.
    bold.addEventListener("mousedown", (event) => (event.preventDefault(), toggle(editor.state, editor.dispatch)));
    const go = (position) => {
      editor.focus();
      editor.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, position)));
    };
    const text = () => editor.state.doc.textBetween(0, editor.state.doc.content.size, "\n");
    return { text, model: () => editor.state.doc.toJSON(), put: () => go(8), away: () => go(1) };
  },
  // A field whose document is kept in the browser: window.synced once what was kept is there.
  persisted(host) {
    const shared = new Y.Doc();
    const text = shared.getText("notes");
    const field = host.appendChild(document.createElement("textarea"));
    field.oninput = () => shared.transact(() => (text.delete(0, text.length), text.insert(0, field.value)));
    new IndexeddbPersistence("notes", shared).whenSynced.then(() => {
      field.value = text.toString();
      window.synced = true;
    });
    return { text: () => text.toString() };
  },
};

// One or several, each in an element that is called like it.
const editors = new URLSearchParams(location.search).get("kind").split(",").map((kind) => {
  const host = document.body.appendChild(Object.assign(document.createElement("div"), { id: kind }));
  return kinds[kind](host.appendChild(document.createElement("div")));
});
Object.assign(window, editors[0], { models: () => editors.map((editor) => editor.model()) });
