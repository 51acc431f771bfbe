// An interaction as lanes: a column per client, time running down. What stands between two lines across all lanes
// happens before any client has heard of the others.

function lanes(finding, evidence) {
  const clients = finding.concurrent.length;
  const rows = [...prefixRows(finding, evidence), ...concurrentRows(finding, evidence)];
  const grid = element("div", { class: "lanes", role: "list", "aria-label": "What the clients do, in order" });
  placed(grid, { "--clients": clients });
  for (let client = 0; client < clients; client++) {
    const lane = element("div", { class: "lane", "aria-hidden": "true" });
    grid.append(colouredBy(client, placed(lane, { "grid-column": client + 1, "grid-row": `1 / span ${rows.length + 2}` })));
    const head = element("div", { class: "lane-head", role: "listitem" }, badge(client), `Client ${clientName(client)}`);
    grid.append(colouredBy(client, placed(head, { "grid-column": client + 1, "grid-row": 1 })));
  }
  rows.forEach((row, index) => grid.append(placed(row, { "grid-row": index + 2 })));
  const ending = { error: "A page reports an error", state: "Their documents differ" }[finding.difference.kind] ?? "They show different things";
  grid.append(placed(line("ending", ending), { "grid-row": rows.length + 2 }));
  return grid;
}

/** The whole prefix is client A's; the steps of its actions are only told where an action has a trace. */
function prefixRows(finding, evidence) {
  const actions = evidence.prefix.length ? evidence.prefix : finding.prefix.map((name) => ({ name, steps: [] }));
  if (!actions.length) return [line("sync", "All clients show the empty document")];
  return [...actions.map((action) => chip(0, null, action.name, action.steps.map(stepText).join(", "))), line("sync", "All clients show this state")];
}

function concurrentRows(finding, evidence) {
  if (!evidence.events.length) return finding.concurrent.map((name, client) => chip(client, null, name, ""));
  return evidence.events.map((event) => {
    if (event.kind === "flush") return line("flush", "All messages arrive");
    if (event.kind !== "step") return signal(event);
    const action = evidence.concurrent[event.client];
    const name = event.step === 0 ? action?.name : "";
    return chip(event.client, event.word, name, stepText(action?.steps[event.step]));
  });
}

/** What happens to a client rather than by its user: a single message, or its network. */
function signal({ word, kind, client, direction }) {
  const text = {
    deliver: direction === "to_server" ? "a message reaches the application" : "a message arrives",
    cut: "the network is cut",
    restore: "the network is back",
    reload: "the page is loaded again",
  }[kind];
  const node = chip(client, word, "", text ?? kind);
  node.classList.add("signal");
  return node;
}

function chip(client, mark, name, steps) {
  const node = element(
    "div",
    { class: "step", role: "listitem", "aria-label": `Client ${clientName(client)}: ${visible([name, steps].filter(Boolean).join(": "))}` },
    mark ? element("span", { class: "mark" }, mark) : null,
    element("span", { class: "doing" }, name ? foreign(name, { class: "action-name" }) : null, steps ? foreign(steps, { class: "step-text" }) : null),
  );
  return colouredBy(client, placed(node, { "grid-column": client + 1 }));
}

function line(kind, text) {
  return placed(element("div", { class: `across ${kind}`, role: "listitem" }, element("span", {}, text)), { "grid-column": "1 / -1" });
}

/** One step of an action in a few words. */
function stepText(step) {
  if (!step) return "";
  const [[kind, value]] = Object.entries(step);
  const target = (place) => (typeof place === "string" ? place : `(${place.x}, ${place.y})`);
  switch (kind) {
    case "press": return `press ${value}`;
    case "type": return `type “${value}”`;
    case "click": return `click ${target(value)}`;
    case "double_click": return `double click ${target(value)}`;
    case "drag": return `drag ${target(value.from)} to ${target(value.to)}`;
    case "paste": return `paste “${value}”`;
    case "select": return `select ${String(value).replace("-", " ")}`;
    case "evaluate": return `evaluate ${value}`;
    case "wait_for": return `wait for ${value}`;
    default: return `${kind} ${JSON.stringify(value)}`;
  }
}
