// The desk's server: `node server.js PORT`. It keeps nothing, so that every run of a page finds what the one before found.
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const ITEMS = [
  { id: 1, name: 'apple', stock: 4, blocked: false },
  { id: 2, name: 'banana', stock: 0, blocked: false },
  { id: 3, name: 'cherry', stock: 9, blocked: false },
];
const FILES = { '/': ['index.html', 'text/html'], '/app.js': ['app.js', 'text/javascript'] };

function answer(method, url, body) {
  if (url.pathname === '/api/items') return [200, ITEMS];
  if (url.pathname === '/api/search') return [200, ITEMS.filter(({ name }) => name.includes(url.searchParams.get('name')))];
  if (url.pathname === '/api/prices') return [200, { currency: 'EUR', apple: 2 }];
  // What was ordered is part of its number.
  if (/^\/api\/orders\/\d+$/.test(url.pathname)) return [200, { state: 'ready', amount: Number(url.pathname.split('/').pop()) - 100 }];
  if (url.pathname !== '/api/orders' || method !== 'POST') return [404, { error: 'not found' }];
  const { amount } = JSON.parse(body);
  if (!(amount >= 1 && amount <= 50)) return [422, { error: 'no such amount' }];
  return [201, { id: 100 + amount, state: 'waiting', amount }];
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (Object.hasOwn(FILES, url.pathname)) {
    const [name, type] = FILES[url.pathname];
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` });
    return response.end(fs.readFileSync(path.join(__dirname, name)));
  }
  let body = '';
  request.on('data', (part) => (body += part));
  return request.on('end', () => {
    const [status, told] = answer(request.method, url, body);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(told));
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1');
