// Folders and files in memory. Only the shown folder has a list; what is cut waits on a clipboard, what is deleted in a bin.
const LARGEST = 5;
const state = { depth: 0, folders: 0, files: 2, sizes: [10, 30], clipboard: null, bin: 0, bySize: false };
let typed = "";

const byId = (id) => document.getElementById(id);
const say = (text) => {
  byId("said").textContent = text;
};

function draw() {
  byId("path").textContent = "/" + Array.from({ length: state.depth }, () => "folder").join("/");
  const sizes = state.bySize ? [...state.sizes].sort((a, b) => a - b) : state.sizes;
  byId("entries").replaceChildren(
    ...sizes.map((size) => {
      const item = document.createElement("li");
      item.textContent = `file of ${size}`;
      return item;
    }),
  );
}

function isAllowed(name) {
  if (name.trim() === "") {
    say("A name is needed");
    return false;
  }
  if (name.includes("/")) {
    say("A name has no slash");
    return false;
  }
  if (name.includes("/") && name.length > 3) {
    say("A slash that nobody saw");
  }
  return true;
}

const actions = {
  "new-folder"() {
    if (!isAllowed(typed)) return;
    state.folders++;
    state.depth++;
    if (typed.startsWith(".") && state.depth > 1) {
      say("A hidden folder inside a folder");
    }
    if (state.depth >= 4) {
      say("Folders are nested deeply");
    }
  },
  "new-file"() {
    if (!isAllowed(typed)) return;
    const [, extension = ""] = typed.split(".");
    if (extension === "exe") {
      say("Programs are not kept here");
      return;
    }
    const { files, sizes } = state;
    if (files >= LARGEST) {
      say("The folder is full");
      return;
    }
    state.files = files + 1;
    state.sizes = [...sizes, typed.length];
    if (state.files > LARGEST) {
      say("The folder overflows");
    }
  },
  up() {
    if (state.depth === 0) {
      say("There is nothing above");
      return;
    }
    state.depth--;
    if (state.depth < 0) {
      say("Above the root");
    }
  },
  sort() {
    state.bySize = !state.bySize;
  },
  cut() {
    if (state.files === 0) {
      say("Nothing to cut");
      return;
    }
    if (state.clipboard !== null) {
      say("The clipboard is taken");
      return;
    }
    state.clipboard = state.depth;
    state.files -= 1;
  },
  paste() {
    const { clipboard, depth } = state;
    if (clipboard === null) {
      say("Nothing to paste");
      return;
    }
    if (clipboard !== depth) {
      say("Moved to another folder");
    }
    state.files += 1;
    state.clipboard = null;
  },
  delete() {
    if (state.files === 0) {
      say("Nothing to delete");
      return;
    }
    state.files -= 1;
    state.bin += 1;
    if (state.bin >= 3) {
      say("The bin fills up");
    }
  },
  empty() {
    if (state.bin > 0 && state.files === 0 && state.clipboard !== null) {
      say("The last file is on the clipboard");
    }
    if (state.bin < 0) {
      say("The bin owes files");
    }
    state.bin = 0;
  },
};

for (const [id, action] of Object.entries(actions)) {
  byId(id).addEventListener("click", () => {
    action();
    draw();
  });
}
byId("tools").addEventListener("click", () => {
  byId("tool-box").hidden = !byId("tool-box").hidden;
});
byId("name").addEventListener("input", ({ target: { value = "" } }) => {
  typed = value;
});
draw();
