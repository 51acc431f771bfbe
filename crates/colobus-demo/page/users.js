// Who has the document open. Everyone sees the same row, themselves included.

const NAMES = ['Ada', 'Ben', 'Cleo', 'Dana', 'Eli', 'Fay', 'Gus', 'Hana'];
const COLOURS = ['#2563eb', '#d9480f', '#087f5b', '#9c36b5', '#c2255c', '#5f3dc4', '#0b7285', '#846358'];

const pick = (list, client) => list[(client - 1) % list.length];

export const nameOf = (client) => pick(NAMES, client);
export const colourOf = (client) => pick(COLOURS, client);

export function drawUsers(row, users) {
  row.replaceChildren(...users.map(chip));
}

function chip(client) {
  const element = document.createElement('span');
  element.className = 'user';
  element.style.setProperty('--user', colourOf(client));
  element.textContent = nameOf(client);
  return element;
}
