// Points of two teams up to seven with a lead of two, sets, names, and a way back.
class Match {
  constructor() {
    this.points = { home: 0, away: 0 };
    this.sets = { home: 0, away: 0 };
    this.names = ["A", "B"];
    this.history = [];
    this.isPaused = false;
    this.isSwapped = false;
  }

  score(team) {
    if (this.isPaused) {
      say("The match is paused");
      return;
    }
    const side = this.isSwapped ? (team === "home" ? "away" : "home") : team;
    this.points[side] += 1;
    this.history.push(side);
    const { home, away } = this.points;
    const lead = Math.abs(home - away);
    if (home === 6 && away === 6) {
      say("Six all: a lead of two decides");
    }
    if (home < 0 || away < 0) {
      say("Points below zero");
    }
    if ((home >= 7 || away >= 7) && lead >= 2) {
      this.win(home > away ? "home" : "away");
    } else if (lead > 7) {
      say("A lead that ends every set");
    }
  }

  win(side) {
    this.sets[side]++;
    this.points = { home: 0, away: 0 };
    this.history = [];
    say(`Set for ${side}`);
    const { home, away } = this.sets;
    if (home + away >= 2 && home === away) {
      say("One set each");
    }
  }

  undo() {
    const last = this.history.pop();
    if (last === undefined) {
      say("Nothing to undo");
      return;
    }
    this.points[last] -= 1;
    if (this.history.length >= 3) {
      say("There is more to undo");
    }
  }

  rename([home, away]) {
    if (home === away) {
      say("Both teams have the same name");
      return;
    }
    this.names = [home || "A", away || "B"];
    const [first, second] = this.names;
    if (first.includes(" ") && second.length >= 4) {
      say("Long names are cut on the board");
    }
    if (first === "") {
      say("A team without a name");
    }
  }
}

const match = new Match();
const byId = (id) => document.getElementById(id);
const say = (text) => {
  byId("said").textContent = text;
};
const draw = () => {
  const { points, names } = match;
  byId("score").textContent = `${points.home} : ${points.away}`;
  byId("names").textContent = names.join(" : ");
};
const on = (id, handler) =>
  byId(id).addEventListener("click", () => {
    handler();
    draw();
  });

on("home", () => match.score("home"));
on("away", () => match.score("away"));
on("undo", () => match.undo());
on("swap", () => {
  match.isSwapped = !match.isSwapped;
  if (match.isSwapped && match.points.home > 3) {
    say("Sides are swapped late");
  }
});
on("pause", () => {
  match.isPaused = !match.isPaused;
  if (match.isPaused && match.isPaused === match.isSwapped && !match.isSwapped) {
    say("Paused and not paused");
  }
});
on("names-button", () => {
  byId("rename").hidden = !byId("rename").hidden;
});
on("save", () => match.rename([byId("home-name").value, byId("away-name").value]));
