// An application review: a list of applicants, and behind each what others wrote, with a stage that can be changed.
const $ = (id) => document.getElementById(id);
let [applications, shown] = [[], null];

async function call(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } };
  if (body) options.body = JSON.stringify(body);
  const answer = await fetch(`api/${path}`, options);
  return answer.ok ? answer.json() : null;
}

async function load() {
  applications = (await call("GET", "applications")) ?? [];
  draw();
}

function draw() {
  const onlyOpen = $("only-open").checked;
  const some = applications.filter(({ stage }) => !onlyOpen || stage === "open");
  $("list").replaceChildren(...some.map(row));
  if (some.length === 0) {
    $("list").textContent = onlyOpen ? "None is open" : "There are none";
  }
}

function row({ id, name, stage }) {
  const item = document.createElement("li");
  item.textContent = name;
  item.dataset.id = id;
  if (stage === "rejected") {
    item.style.textDecoration = "line-through";
  } else if (stage === "hired") {
    item.style.fontWeight = "bold";
  }
  return item;
}

async function show(id) {
  const application = await call("GET", `applications/${encodeURIComponent(id)}`);
  if (!application) return;
  shown = application;
  $("detail").querySelector("h2").textContent = application.name;
  $("latest").textContent = latest(application.comments);
  $("range").textContent = range(application.values);
  $("stage").value = application.stage;
  $("score").textContent = stars(application.score);
  comments(application.comments);
  $("list").hidden = true;
  $("detail").hidden = false;
}

function stars(score) {
  if (score === null || score === undefined) return "not rated";
  if (score >= 5) return "*****";
  return "*".repeat(Math.max(0, Math.floor(score)));
}

function comments(all) {
  const items = all.map(({ author, text }) => {
    const item = document.createElement("li");
    item.textContent = text;
    item.title = author;
    if (text === "") item.textContent = "(nothing)";
    return item;
  });
  $("comments").replaceChildren(...items);
}

function back() {
  shown = null;
  $("list").hidden = false;
  $("detail").hidden = true;
  draw();
}

$("list").addEventListener("click", ({ target }) => {
  if (target.dataset.id) show(target.dataset.id);
});
$("only-open").onchange = draw;
$("back").onclick = back;
$("comment").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { author, text } = Object.fromEntries(new FormData(event.target));
  if (!author || !text) {
    $("latest").textContent = "A name and a text, please";
    return;
  }
  const all = await call("POST", `applications/${shown.id}/comments`, { author, text });
  if (!all) return;
  comments(all);
  $("latest").textContent = latest(all);
  event.target.reset();
});
$("stage").addEventListener("change", async ({ target }) => {
  if (target.value === "rejected" && shown.score > 4) {
    $("latest").textContent = "Are you sure?";
  }
  const changed = await call("PUT", `applications/${shown.id}/stage`, { stage: target.value });
  if (!changed) return;
  const known = applications.find(({ id }) => id === changed.id);
  if (known) known.stage = changed.stage;
});
load();
