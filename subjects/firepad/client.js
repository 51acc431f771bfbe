// Opens the document that the query names. `colobusSubject` is what colobus.toml asks.
'use strict';

const documentName = new URLSearchParams(location.search).get('doc');
// Every document is a database. The client library takes host names of exactly three labels; `ws:` keeps it from trying
// anything but WebSockets.
firebase.initializeApp({ apiKey: 'none', databaseURL: `ws://${documentName}.firebaseio.localhost:${location.port}` });

const codeMirror = CodeMirror(document.getElementById('editor'), { lineWrapping: true });
const firepad = Firepad.fromCodeMirror(firebase.database().ref('document'), codeMirror, {
  richTextShortcuts: true,
  richTextToolbar: true,
});

const colobusSubject = {
  ready: new Promise((resolve) => firepad.on('ready', () => resolve(true))),

  /// The document as text and formatted runs. Equal neighbours are joined: how a text is cut into runs means nothing.
  state() {
    const runs = [];
    for (const { text, formatting } of firepad.getText() === '' ? [] : formattedRuns()) {
      const last = runs[runs.length - 1];
      if (last && last.formatting === formatting) last.text += text;
      else runs.push({ text, formatting });
    }
    return runs;
  },
};

function formattedRuns() {
  const runs = [];
  for (const op of firepad.firebaseAdapter_.getDocument().ops) {
    if (op.isInsert()) runs.push({ text: op.text, formatting: sorted(op.attributes) });
  }
  return runs;
}

function sorted(attributes) {
  return Object.keys(attributes).sort().map((name) => `${name}=${attributes[name]}`).join(' ');
}
