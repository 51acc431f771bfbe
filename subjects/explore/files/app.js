// A file manager: folders are opened with a double click, one entry is selected with a click and can be renamed or deleted.
const $ = (id) => document.getElementById(id);
const folders = new Map();
let [here, selected, bySize] = [null, null, false];

async function call(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } };
  if (body) options.body = JSON.stringify(body);
  const answer = await fetch(`api/${path}`, options);
  if (answer.ok) return answer.json();
  $("status").textContent = `Error ${answer.status}`;
  return null;
}

async function get(hash) {
  if (!folders.has(hash)) {
    const folder = await call("GET", `folders/${encodeURIComponent(hash)}`);
    folders.set(hash, folder ?? { hash, name: "?", parent: null, entries: [] });
  }
  return folders.get(hash);
}

async function open(hash) {
  here = await get(hash);
  const way = await crumbs(here);
  $("crumbs").textContent = way.join(" / ");
  select(null);
  draw();
}

function draw() {
  const entries = [...here.entries];
  if (bySize) entries.sort((one, other) => other.size - one.size);
  $("entries").replaceChildren(...entries.map(row));
  const files = entries.filter(({ kind }) => kind === "file");
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (entries.length === 0) {
    $("status").textContent = "empty";
  } else {
    $("status").textContent = `${files.length} files, ${readable(size)}`;
  }
}

function readable(size) {
  if (size > 1024) return `${Math.round(size / 1024)} kB`;
  return `${size} bytes`;
}

function row(entry) {
  const item = document.createElement("li");
  item.textContent = entry.kind === "folder" ? `[${entry.name}]` : entry.name;
  item.tabIndex = 0;
  item.onclick = () => select(entry);
  item.ondblclick = () => {
    if (entry.kind === "folder") {
      open(entry.hash);
    } else {
      $("status").textContent = `${entry.name}: ${readable(entry.size)}`;
    }
  };
  item.onkeydown = ({ key }) => {
    if (key === "Delete") remove(entry);
    if (key === "Enter") item.ondblclick();
  };
  return item;
}

function select(entry) {
  selected = entry;
  $("menu").hidden = !entry;
}

async function remove(entry) {
  if ((await call("DELETE", `entries/${encodeURIComponent(entry.hash)}`)) === null) return;
  here.entries = here.entries.filter(({ hash }) => hash !== entry.hash);
  select(null);
  draw();
}

async function rename(entry, name) {
  const renamed = await call("PUT", `entries/${encodeURIComponent(entry.hash)}`, { name });
  if (!renamed) return;
  Object.assign(entry, renamed);
  draw();
}

$("menu").addEventListener("click", ({ target }) => {
  if (target.dataset.do === "remove") {
    remove(selected);
  } else if (target.dataset.do === "rename") {
    const name = $("create").elements.name.value;
    if (name) rename(selected, name);
    else $("status").textContent = "Enter the new name";
  }
});
$("create").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = event.target.elements.name.value.trim();
  if (!name || name.includes("/")) {
    $("status").textContent = "That is no name";
    return;
  }
  const created = await call("POST", "folders", { name, parent: here.hash });
  if (!created) return;
  here.entries.push(created);
  event.target.reset();
  draw();
});
$("up").onclick = () => {
  if (here.parent) open(here.parent);
};
$("sort").onclick = () => {
  bySize = !bySize;
  draw();
};
open("root");
