// An interaction as lanes: a column per client and one for the application among them, time running down. What stands
// between two lines across all lanes happens before any client has heard of the others.

/** `critical` are the positions of the events that make the difference, `ending` is what comes of it all. */
function lanes(interaction, evidence, events, critical, ending) {
  const latecomers = events.map((event) => (event.client ?? -1) + 1);
  const columns = columnsOf(Math.max(interaction.concurrent.length, ...latecomers));
  const rows = [...prefixRows(interaction, evidence, columns), ...concurrentRows(interaction, evidence, events, critical, columns)];
  const grid = element("div", { class: "lanes", role: "list", "aria-label": "What the clients do, in order" });
  placed(grid, { "--lanes": columns.clients.length + 1 });
  const heads = columns.clients.map((column, client) => [column, [badge(client), `Client ${clientName(client)}`], client]);
  for (const [column, label, client] of [...heads, [columns.application, ["Application"], null]]) {
    const lane = element("div", { class: "lane", "aria-hidden": "true" });
    const head = element("div", { class: "lane-head", role: "listitem" }, label);
    placed(lane, { "grid-column": column, "grid-row": `1 / span ${rows.length + 2}` });
    placed(head, { "grid-column": column, "grid-row": 1 });
    for (const node of [lane, head]) grid.append(client === null ? node : colouredBy(client, node));
  }
  rows.forEach((row, index) => grid.append(placed(row, { "grid-row": index + 2 })));
  grid.append(placed(line(ending.kind, ending.text), { "grid-row": rows.length + 2 }));
  return grid;
}

/** The application stands in the middle, so that few messages cross other lanes. */
function columnsOf(count) {
  const left = Math.ceil(count / 2);
  const clients = Array.from({ length: count }, (_, client) => (client < left ? client + 1 : client + 2));
  return { clients, application: left + 1 };
}

/** The whole prefix is client A's; the steps of its actions are only told where an action has a trace. */
function prefixRows(interaction, evidence, columns) {
  const actions = evidence.prefix.length ? evidence.prefix : interaction.prefix.map((name) => ({ name, steps: [] }));
  if (!actions.length) return [line("sync", "All clients show the empty document")];
  return [...actions.map((action) => chip(columns, 0, null, action.name, action.steps.join(", "))), line("sync", "All clients show this state")];
}

function concurrentRows(interaction, evidence, events, critical, columns) {
  if (!events.length) return interaction.concurrent.map((name, client) => chip(columns, client, null, name, ""));
  return events.map((event, index) => {
    const row = eventRow(event, evidence, columns);
    if (critical.includes(index)) row.classList.add("critical");
    return row;
  });
}

function eventRow(event, evidence, columns) {
  if (event.kind === "flush") return line("flush", "All messages arrive");
  if (event.kind === "deliver") return message(event, columns);
  if (event.kind !== "step") return signal(event, columns);
  const action = evidence.concurrent[event.client];
  const name = event.step === 0 ? action?.name : "";
  return chip(columns, event.client, event.word, name, action?.steps[event.step % action.steps.length] ?? "");
}

/** An arrow between the client's lane and the application's. */
function message({ word, client, direction, message }, columns) {
  const [own, application] = [columns.clients[client], columns.application];
  const toServer = direction === "to_server";
  const rightward = toServer === own < application;
  const says = message?.preview ?? "";
  const text = toServer ? `Client ${clientName(client)} to the application` : `The application to client ${clientName(client)}`;
  const node = element(
    "div",
    { class: `message ${rightward ? "rightward" : "leftward"}`, role: "listitem", "aria-label": `${text}: ${visible(says)}`, title: visible(says) || null },
    element("span", { class: "mark" }, word),
    says ? foreign(says, { class: "says" }) : null,
  );
  const [from, to] = [Math.min(own, application), Math.max(own, application) + 1];
  return colouredBy(client, placed(node, { "grid-column": `${from} / ${to}`, "--spanned": to - from }));
}

/** Faults, by the kind of their events. */
const FAULTS = {
  cut: "the network is cut",
  restore: "the network is back",
  reload: "the page is loaded again",
  wait: "half a minute passes, messages stay held",
  poll: "its page polls, and the answer waits",
  poll_answer: "the answer to its poll arrives, out of date",
  tab: "the document is opened in a second tab",
  join: "opens the document now",
};

/** What happens to a client rather than by its user: to its network or its page. */
function signal({ word, kind, client }, columns) {
  const node = chip(columns, client, word, "", FAULTS[kind] ?? "");
  node.classList.add("signal");
  return node;
}

function chip(columns, client, mark, name, steps) {
  const node = element(
    "div",
    { class: "step", role: "listitem", "aria-label": `Client ${clientName(client)}: ${visible([name, steps].filter(Boolean).join(": "))}` },
    mark ? element("span", { class: "mark" }, mark) : null,
    element("span", { class: "doing" }, name ? foreign(name, { class: "action-name" }) : null, steps ? foreign(steps, { class: "step-text" }) : null),
  );
  return colouredBy(client, placed(node, { "grid-column": columns.clients[client] }));
}

function line(kind, text) {
  return placed(element("div", { class: `across ${kind}`, role: "listitem" }, element("span", {}, text)), { "grid-column": "1 / -1" });
}
