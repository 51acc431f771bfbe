// A die that rolls by arithmetic, a bank of points, and a shop for those who have enough of them.
let seed = 1;
let sides = 6;
let name = "";
let round = 0;
let bank = 0;
let sixes = 0;
let charm = false;

const byId = (id) => document.getElementById(id);
const tell = (text) => (byId("said").textContent = text);
const show = (shown) => {
  for (const section of document.querySelectorAll("section")) section.hidden = section.id !== shown;
};

const next = () => {
  seed = (seed * 5 + 3) % 16;
  return (seed % sides) + 1;
};

byId("roll").onclick = () => {
  const value = next();
  if (value === 1 && !charm) {
    round = 0;
    sixes = 0;
    tell("A one loses the round");
    return;
  }
  round += value;
  sixes = value === 6 ? sixes + 1 : 0;
  if (sixes >= 2) {
    tell("Two sixes in a row");
  }
  if (value > sides) {
    tell("The die fell off the table");
  }
  if (value > 10) {
    tell("Only large dice show this much");
  }
  byId("points").textContent = round;
};

byId("hold").onclick = () => {
  if (round === 0) {
    tell("There is nothing to hold");
    return;
  }
  bank += round;
  round = 0;
  if (bank >= 20) {
    tell("Enough points for the shop");
    show("shop");
  }
  if (bank < round) {
    tell("The bank lost points");
  }
};

byId("buy").onclick = () => {
  if (bank < 20) {
    tell("A charm costs twenty points");
  } else {
    bank -= 20;
    charm = true;
    tell("The charm is yours");
  }
};
byId("leave").onclick = () => {
  show("table");
  if (charm && bank > 0) {
    tell("Lucky, with points left");
  }
  if (bank < 0) {
    tell("The shop gave credit");
  }
};

byId("setup").onclick = () => show("settings");
byId("play").onclick = () => {
  show("table");
  if (/^[A-Z][a-z]+$/.test(name)) {
    tell(`Welcome ${name}`);
  }
  if (name.toLowerCase() === "cheater" && sides === 12) {
    tell("Cheaters play with small dice");
  }
  if (name.length > 12) {
    tell("What a long name");
  }
};
byId("seed").oninput = (event) => {
  seed = Math.abs(Number(event.target.value));
};
byId("sides").onchange = (event) => {
  sides = Number(event.target.value);
};
byId("name").oninput = (event) => {
  ({ value: name = "" } = event.target);
};
