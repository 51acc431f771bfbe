// News with comments: lists in several orders, a filter, and one item at a time. Arrow keys go to the neighbours of an item.
const $ = (id) => document.getElementById(id);
const state = { items: [], at: -1, section: "" };

const get = async (path) => (await fetch(`api/${path}`)).json();
const post = async (path, body) => {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`api/${path}`, options);
  return answer.ok ? answer.json() : null;
};

async function list(path) {
  state.items = await get(path);
  draw();
}

function draw() {
  const shown = state.items.filter((item) => !state.section || item.section === state.section);
  $("items").replaceChildren(...shown.map(row));
  const unread = state.items.filter((item) => !item.seen).length;
  if (unread === 0) {
    $("unread").textContent = "(all read)";
  } else {
    $("unread").textContent = `(${unread} new)`;
  }
  if (!shown.length) {
    $("items").textContent = "There are no news";
  }
}

function row(item) {
  const element = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = item.title;
  if (!item.seen) {
    button.style.fontWeight = "bold";
  }
  button.onclick = () => open(state.items.indexOf(item));
  element.append(button, ` ${item.day}`);
  return element;
}

async function open(index) {
  const item = state.items[index];
  if (!item) return;
  state.at = index;
  $("item").querySelector("h2").textContent = item.title;
  const text = $("item").querySelector("p");
  text.textContent = item.text;
  if (item.link) {
    const link = document.createElement("a");
    link.href = item.link;
    link.target = "_blank";
    link.textContent = "more";
    text.append(" ", link);
  }
  const comments = await get(`comments?newsId=${item.id}`);
  $("comments").replaceChildren(...comments.map(comment));
  if (!item.seen) {
    item.seen = true;
    const told = await post("news/read", { id: item.id });
    if (told) $("unread").textContent = `(${told.unread} new)`;
  }
  $("item").hidden = false;
  $("items").hidden = true;
}

function comment({ author, text }) {
  const element = document.createElement("li");
  element.textContent = `${author || "somebody"}: ${text}`;
  if (text.endsWith("!")) {
    element.style.fontStyle = "italic";
  }
  return element;
}

function close() {
  state.at = -1;
  $("item").hidden = true;
  $("items").hidden = false;
  draw();
}

document.querySelector("nav").addEventListener("click", ({ target }) => {
  if (target.dataset.list) {
    close();
    list(target.dataset.list);
  }
});
$("section").onchange = ({ target }) => {
  state.section = target.value;
  draw();
};
$("back").onclick = close;
$("comment").onsubmit = async (event) => {
  event.preventDefault();
  const { author, text } = Object.fromEntries(new FormData(event.target));
  if (!text) return;
  const { id } = state.items[state.at];
  const sent = await post("comments", { newsId: id, author, text });
  if (!sent) return;
  $("comments").append(comment(sent));
  event.target.reset();
};
document.addEventListener("keydown", ({ key, target }) => {
  if (target.tagName === "INPUT" || state.at < 0) return;
  if (key === "ArrowRight") {
    open(state.at + 1);
  } else if (key === "ArrowLeft") {
    open(state.at - 1);
  } else if (key === "Escape") {
    close();
  }
});
list("news");
