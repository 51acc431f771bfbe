// A board whose state is in the page, in the store and in the address: nothing of it is a plain variable but the notes.
const $ = (id) => document.getElementById(id);
const KEY = "notes";
const say = (text) => ($("message").textContent = text);
const notes = JSON.parse(localStorage.getItem(KEY) || "[]");
const tags = new Set();

if (notes.length > 2) {
  say("A full board was kept");
}
if (notes.length > 0 && notes[0].pinned) {
  say("The pinned note was kept");
}
if (localStorage.getItem("theme") === "dark") {
  document.body.classList.add("dark");
}

const save = () => localStorage.setItem(KEY, JSON.stringify(notes));

// The number is kept in the page only.
$("add").onclick = () => {
  const open = Number($("open").textContent);
  if (open >= 4) {
    say("The board is full");
    return;
  }
  notes.push({ text: $("text").value, pinned: false });
  $("open").textContent = open + 1;
  save();
};

$("theme").onclick = () => {
  document.body.classList.toggle("dark");
  if (document.body.classList.contains("dark") && $("theme").getAttribute("aria-pressed") === "true") {
    say("Dark after it was light again");
  }
  $("theme").setAttribute("aria-pressed", "true");
  localStorage.setItem("theme", document.body.classList.contains("dark") ? "dark" : "light");
};

$("lock").onclick = () => {
  const button = $("lock");
  if (button.dataset.locked === "yes") {
    say("Locked twice");
  }
  button.dataset.locked = button.dataset.locked === "no" ? "yes" : "no";
};

$("tag").onclick = () => {
  if (tags.has("urgent")) {
    say("Tagged already");
  }
  tags.add("urgent");
};
$("count").onclick = () => {
  if (tags.size > 0 && tags.has("urgent")) {
    say("One tag");
  }
};

$("pin").onclick = () => {
  if (notes.length === 0) return;
  notes[0].pinned = true;
  save();
};

// What is stored is read back from the store.
$("archive").onclick = () => {
  const stored = JSON.parse(localStorage.getItem(KEY) ?? "null");
  if (stored && stored.length === 2 && stored[1].text === "old") {
    say("The old note is archived");
  }
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !$("more").hidden) {
    say("Closed by a key");
    $("more").hidden = true;
  }
  if (event.key === "k" && event.target === document.body) {
    say("A key without a field");
  }
});
$("text").addEventListener("keydown", (event) => {
  if (event.keyCode === 13 && $("text").value === "help") {
    say("Help by Enter");
  }
});

// Details are a place of their own in the history.
$("details").onclick = () => {
  $("more").hidden = false;
  location.hash = "#details";
};
window.addEventListener("hashchange", () => {
  if (location.hash === "") {
    say("Back from the details");
    $("more").hidden = true;
  }
});

$("message").onclick = () => {
  if ($("message").textContent === "Locked twice" && $("open").textContent === "2") {
    say("Read from two texts");
  }
  if ($("open").textContent === "five") {
    say("No event writes this");
  }
  if (localStorage.getItem("admin") === "yes") {
    say("No event stores this");
  }
  if (tags.has("never")) {
    say("No event adds this");
  }
};
