// Each editor with a caret in its second line: window.open(kind) makes one, window.text() is what it contains, window.put()
// puts the caret there and window.away() somewhere else.
import { EditorView, basicSetup } from "codemirror";
import CodeMirror from "codemirror5";
import { baseKeymap } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import { DOMParser } from "prosemirror-model";
import { schema } from "prosemirror-schema-basic";
import { EditorState, TextSelection } from "prosemirror-state";
import { EditorView as ProseMirror } from "prosemirror-view";
import Quill from "quill";

const LINES = ["one", "two", "three"];

const kinds = {
  codemirror5(host) {
    const editor = CodeMirror(host, { value: LINES.join("\n") });
    const go = (line, column) => (editor.focus(), editor.setCursor(line, column));
    return { text: () => editor.getValue(), put: () => go(1, 2), away: () => go(0, 0) };
  },
  codemirror6(host) {
    const editor = new EditorView({ doc: LINES.join("\n"), extensions: [basicSetup], parent: host });
    const go = (anchor) => (editor.focus(), editor.dispatch({ selection: { anchor } }));
    return { text: () => editor.state.doc.toString(), put: () => go(6), away: () => go(0) };
  },
  // Whether the page lets others find its editor or not.
  quill(host) {
    window.Quill = Quill;
    return kinds["quill-hidden"](host);
  },
  "quill-hidden"(host) {
    const editor = new Quill(host);
    editor.setText(LINES.join("\n"));
    const go = (index) => (editor.focus(), editor.setSelection(index, 0));
    return { text: () => editor.getText().trimEnd(), put: () => go(6), away: () => go(0) };
  },
  prosemirror(host) {
    const content = document.createElement("div");
    content.innerHTML = "<p>one</p><p>tw<strong>o</strong></p><p>three</p>";
    const doc = DOMParser.fromSchema(schema).parse(content);
    const editor = new ProseMirror(host, { state: EditorState.create({ doc, plugins: [keymap(baseKeymap)] }) });
    const go = (position) => {
      editor.focus();
      editor.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, position)));
    };
    const text = () => editor.state.doc.textBetween(0, editor.state.doc.content.size, "\n");
    return { text, put: () => go(8), away: () => go(1) };
  },
};

const kind = new URLSearchParams(location.search).get("kind");
Object.assign(window, kinds[kind](document.getElementById("host")));
