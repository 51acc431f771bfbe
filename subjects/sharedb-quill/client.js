// A Quill editor on the ShareDB document that the query names. `colobusSubject` is what colobus.toml asks.
import Quill from 'quill';
import richText from 'rich-text';
import sharedb from 'sharedb/lib/client';

sharedb.types.register(richText.type);

const name = new URLSearchParams(location.search).get('doc');
const connection = new sharedb.Connection(new WebSocket(`ws://${location.host}/`));
const document_ = connection.get('documents', name);
const quill = new Quill('#editor', {
  theme: 'snow',
  modules: { toolbar: [['bold', 'italic', 'underline'], [{ header: 1 }, { list: 'ordered' }, { list: 'bullet' }]] },
});

function call(method, ...values) {
  return new Promise((resolve, reject) => document_[method](...values, (error) => (error ? reject(error) : resolve())));
}

/// Whoever is first creates the document; whoever is second is told that it is there.
async function open() {
  await call('fetch');
  if (document_.type === null) await call('create', [{ insert: '\n' }], 'rich-text').catch(() => call('fetch'));
  await call('subscribe');
  quill.setContents(document_.data, 'api');
  quill.history.clear();
  quill.on('text-change', (delta, before, source) => {
    if (source === 'user') document_.submitOp(delta, { source: quill });
  });
  document_.on('op', (op, source) => {
    if (source !== quill) quill.updateContents(op, 'api');
  });
  return true;
}

globalThis.colobusSubject = {
  ready: open(),
  state: () => document_.data.ops,
  undo: () => quill.history.undo(),
};
