// A board for which one has to log in: `node server.mjs PORT [broken]`. Everybody may write entries; reviewers may also approve all
// that is there. Broken: approving writes the whole list as the reviewer sees it, and what somebody wrote meanwhile is gone.
// A session is a cookie that scripts do not see, and the right to write a token in local storage.
import { randomBytes } from 'node:crypto';
import http from 'node:http';

const ACCOUNTS = { alice: { password: 'reviews-everything', reviewer: true }, bob: { password: 'writes-all-day' } };
const broken = process.argv[3] === 'broken';
const sessions = new Map();
const rooms = new Map();

const enter = (name) => {
  if (!rooms.has(name)) rooms.set(name, { entries: [{ text: 'first', approved: false }], streams: new Set() });
  return rooms.get(name);
};

const LOGIN = (problem) => `<!doctype html><title>Log in</title><p>${problem}</p><form method=post action=/login>
<label>Name <input name=name></label> <label>Password <input name=password type=password></label> <button>Log in</button></form>`;

const WELCOME = (token) => `<!doctype html><title>Welcome</title><p>Welcome back</p>
<script>localStorage.setItem('account', JSON.stringify({ token: ${JSON.stringify(token)} }))</script>`;

const BOARD = (name, reviewer) => `<!doctype html><title>Board</title><style>* { font: 16px monospace; caret-color: transparent }</style>
<p id=who>${name}</p><p id=count></p><ul id=list></ul><form><label>Entry <input id=entry disabled></label></form>
${reviewer ? '<button id=approve>Approve</button>' : ''}
<script>
const doc = location.search;
const { token } = JSON.parse(localStorage.getItem('account') ?? '{}');
const send = (path, body) =>
  fetch(path + doc, { method: 'POST', headers: { Authorization: 'Bearer ' + token }, body: JSON.stringify(body) });
let entries = [];
new EventSource('/events' + doc).onmessage = (event) => {
  entries = JSON.parse(event.data);
  entry.disabled = !token;
  count.textContent = entries.length + ' entries, ' + entries.filter((e) => e.approved).length + ' approved';
  list.replaceChildren(...entries.map(({ text, approved }) => {
    const item = document.createElement('li');
    item.textContent = (approved ? '+ ' : '- ') + text;
    return item;
  }));
};
document.forms[0].onsubmit = (event) => {
  event.preventDefault();
  send('/write', entry.value);
  entry.value = '';
};
document.querySelector('#approve')?.addEventListener('click', () => send('/approve', entries));
</script>`;

const html = (response, status, text, headers = {}) => {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', ...headers });
  response.end(text);
};
const body = async (request) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

const handle = async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const room = enter(searchParams.get('doc') ?? 'lobby');
  const session = sessions.get(/sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1]);
  // What a test looks for where it must not be.
  if (pathname === '/secrets') return html(response, 200, [...sessions].map(([sid, { token }]) => `<${sid} ${token}>`).join(''));
  if (pathname === '/login' && request.method === 'POST') {
    const form = new URLSearchParams(await body(request));
    const account = ACCOUNTS[form.get('name')];
    if (account?.password !== form.get('password')) return html(response, 401, LOGIN('Wrong name or password'));
    const [sid, token] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    sessions.set(sid, { name: form.get('name'), reviewer: account.reviewer ?? false, token });
    return html(response, 303, '', { Location: '/welcome', 'Set-Cookie': `sid=${sid}; HttpOnly; Path=/; SameSite=Lax` });
  }
  if (pathname === '/login') return html(response, 200, LOGIN(''));
  if (!session) return html(response, 303, '', { Location: '/login' });
  if (pathname === '/welcome') return html(response, 200, WELCOME(session.token));
  if (pathname === '/') return html(response, 200, BOARD(session.name, session.reviewer));
  if (pathname === '/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(`data: ${JSON.stringify(room.entries)}\n\n`);
    room.streams.add(response);
    return response.on('close', () => room.streams.delete(response));
  }
  if (request.headers.authorization !== `Bearer ${session.token}`) return html(response, 403, 'no token');
  const sent = JSON.parse(await body(request));
  if (pathname === '/write') room.entries.push({ text: sent, approved: false });
  else if (!session.reviewer) return html(response, 403, 'only reviewers approve');
  else if (broken) room.entries = sent.map((entry) => ({ ...entry, approved: true }));
  else room.entries = room.entries.map((entry, index) => (index < sent.length ? { ...entry, approved: true } : entry));
  for (const stream of room.streams) stream.write(`data: ${JSON.stringify(room.entries)}\n\n`);
  return html(response, 200, 'done');
};

const server = http.createServer((request, response) => {
  handle(request, response).catch((error) => html(response, 500, error.message));
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
