// What the clients show: side by side, the difference alone, a slider, or in turns; all of the page or just the place
// where they differ. Which pixels differ was decided by the same comparison that judged the finding.

const MARGIN = 48;
const SMALLEST_CROP = { width: 420, height: 280 };
const BLINK_MS = 700;

function pictures(evidence, images) {
  const shown = evidence.clients.filter((client) => client.screenshot !== null);
  if (!shown.length) return missingPictures(evidence);

  const comparable = evidence.comparisons.filter((c) => [0, ...c.others].every((client) => evidence.clients[client].screenshot !== null));
  const view = { mode: "side", zoom: comparable.some((c) => c.bounds), comparison: comparable.find((c) => c.bounds) ?? comparable[0] };
  const stage = element("div", { class: "stage-area" });
  const redraw = async () => {
    stopBlinking(stage);
    const drawn = await drawStage(view, evidence, images);
    stopBlinking(stage);
    stage.replaceChildren(drawn);
  };
  const set = (key) => (value) => {
    view[key] = value;
    redraw();
  };
  redraw();
  return element(
    "section",
    { class: "pictures" },
    element("div", { class: "section-head" }, element("h4", {}, "What they show"), comparable.length ? controls(view, comparable, set) : null),
    stage,
    shown.length < evidence.clients.length ? missingPictures(evidence) : null,
  );
}

function missingPictures(evidence) {
  const files = evidence.clients.filter((client) => client.screenshot === null).map((client) => client.file);
  if (!files.length) return null;
  return element("p", { class: "aside" }, `Not in this page: ${files.join(", ")}, beside this report if it was kept.`);
}

function controls(view, comparable, set) {
  const modes = [["side", "Side by side"], ["difference", "Difference"], ["slider", "Slider"], ["blink", "Blink"]];
  const zoom = element("input", { type: "checkbox", checked: view.zoom, change: (event) => set("zoom")(event.target.checked) });
  const pairs = comparable.map((c, index) => element("option", { value: index }, `A and ${c.others.map(clientName).join(", ")}`));
  return element(
    "div",
    { class: "controls" },
    comparable.length > 1 ? element("select", { "aria-label": "Which clients", change: (event) => set("comparison")(comparable[event.target.value]) }, pairs) : null,
    choices("How to compare", modes, view.mode, set("mode")),
    comparable.some((c) => c.bounds) ? element("label", { class: "check" }, zoom, "Zoom") : null,
  );
}

async function drawStage(view, evidence, images) {
  const clients = view.mode === "side" || !view.comparison ? evidence.clients.map((_, index) => index) : [0, view.comparison.others[0]];
  const loaded = [];
  for (const client of clients) {
    const image = await load(images[evidence.clients[client].screenshot]);
    if (image) loaded.push({ client, image });
  }
  if (!loaded.length) return element("p", { class: "aside" }, "The screenshots could not be decoded.");
  const crop = cropOf(view, loaded[0].image);
  const frames = loaded.map(({ client, image }) => ({ client, image, canvas: canvasOf(image, crop, `Screenshot of client ${clientName(client)}`) }));
  if (frames.length < 2) return sideBySide(frames, crop);
  switch (view.mode) {
    case "difference": return differenceFigure(frames, view.comparison, evidence.ignored, crop);
    case "slider": return slider(frames, view.comparison.bounds ?? crop, crop);
    case "blink": return blink(frames, crop);
    default:
      if (!view.zoom && view.comparison) frames.forEach(({ canvas }) => outline(canvas.getContext("2d"), view.comparison));
      return sideBySide(frames, crop);
  }
}

function load(uri) {
  if (!uri) return Promise.resolve(null);
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => resolve(null);
    image.src = uri;
  });
}

/** The part of the page that is shown: all of it, or the differing place with something around it. */
function cropOf(view, image) {
  const whole = { x: 0, y: 0, width: image.naturalWidth, height: image.naturalHeight };
  const bounds = view.comparison?.bounds;
  if (!view.zoom || !bounds) return whole;
  const stretch = (start, size, smallest, limit) => {
    const wanted = Math.min(limit, Math.max(size + 2 * MARGIN, smallest));
    return [Math.max(0, Math.min(limit - wanted, Math.round(start + size / 2 - wanted / 2))), wanted];
  };
  const [x, width] = stretch(bounds.x, bounds.width, SMALLEST_CROP.width, whole.width);
  const [y, height] = stretch(bounds.y, bounds.height, SMALLEST_CROP.height, whole.height);
  return { x, y, width, height };
}

/** A canvas with the crop of an image, whose drawing coordinates are those of the page. */
function canvasOf(image, crop, label) {
  const canvas = element("canvas", { width: crop.width, height: crop.height, role: "img", "aria-label": label });
  const context = canvas.getContext("2d");
  context.translate(-crop.x, -crop.y);
  context.drawImage(image, 0, 0);
  return canvas;
}

function figure(client, content, crop) {
  return colouredBy(client, placed(element("figure", { class: "shot" }, element("figcaption", {}, badge(client), `Client ${clientName(client)}`), content), { "--natural": `${crop.width}px` }));
}

function sideBySide(frames, crop) {
  return element("div", { class: "shots" }, frames.map(({ client, canvas }) => figure(client, canvas, crop)));
}

function differenceFigure([one], comparison, ignored, crop) {
  const canvas = canvasOf(one.image, crop, "Pixels that differ");
  const context = canvas.getContext("2d");
  context.fillStyle = "rgb(255 255 255 / 72%)";
  context.fillRect(crop.x, crop.y, crop.width, crop.height);
  context.fillStyle = "rgb(128 128 128 / 35%)";
  for (const { x, y, width, height } of ignored) context.fillRect(x, y, width, height);
  context.fillStyle = "#d6006c";
  for (const [y, start, end] of comparison.pixels ?? []) context.fillRect(start, y, end - start, 1);
  outline(context, comparison);
  const pixels = (comparison.pixels ?? []).reduce((sum, [, start, end]) => sum + end - start, 0);
  const caption = comparison.pixels ? `${counted(pixels, "pixel")} differ${pixels === 1 ? "s" : ""}` : "Too many differences to mark each pixel";
  return placed(
    element("figure", { class: "shot single" }, element("figcaption", {}, badge(0), badge(comparison.others[0]), caption, ignored.some((area) => overlap(area, crop)) ? element("span", { class: "aside" }, "grey areas do not count") : null), canvas),
    { "--natural": `${crop.width}px` },
  );
}

const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Draws a box around every group of differing pixels. */
function outline(context, comparison) {
  context.strokeStyle = "#d6006c";
  context.lineWidth = 1.5;
  const groups = comparison.pixels ? groupsOf(comparison.pixels) : [comparison.bounds].filter(Boolean);
  for (const { x, y, width, height } of groups) context.strokeRect(x - 4.5, y - 4.5, width + 9, height + 9);
}

const CELL = 16;

/** Boxes around pixels that are near each other. */
function groupsOf(runs) {
  const cells = new Map();
  for (const [y, start, end] of runs) {
    for (let column = Math.floor(start / CELL); column <= Math.floor((end - 1) / CELL); column++) {
      const key = `${column},${Math.floor(y / CELL)}`;
      const left = Math.max(start, column * CELL);
      const right = Math.min(end, (column + 1) * CELL);
      const box = cells.get(key) ?? { left, right, top: y, bottom: y + 1 };
      cells.set(key, { left: Math.min(box.left, left), right: Math.max(box.right, right), top: Math.min(box.top, y), bottom: Math.max(box.bottom, y + 1) });
    }
  }
  const groups = [];
  for (const key of [...cells.keys()]) {
    if (!cells.has(key)) continue;
    const group = { left: Infinity, right: 0, top: Infinity, bottom: 0 };
    const waiting = [key];
    while (waiting.length) {
      const current = waiting.pop();
      const box = cells.get(current);
      if (!box) continue;
      cells.delete(current);
      group.left = Math.min(group.left, box.left);
      group.right = Math.max(group.right, box.right);
      group.top = Math.min(group.top, box.top);
      group.bottom = Math.max(group.bottom, box.bottom);
      const [column, row] = current.split(",").map(Number);
      for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) waiting.push(`${column + dx},${row + dy}`);
    }
    groups.push({ x: group.left, y: group.top, width: group.right - group.left, height: group.bottom - group.top });
  }
  return groups;
}

/** The slider starts in the middle of what differs. */
function slider([one, other], differing, crop) {
  const layers = element("div", { class: "layers" }, one.canvas, other.canvas);
  const range = element("input", { type: "range", min: 0, max: 100, value: Math.round(((differing.x + differing.width / 2 - crop.x) / crop.width) * 100), "aria-label": `Share of client ${clientName(one.client)}` });
  const move = () => layers.style.setProperty("--cut", `${range.value}%`);
  range.addEventListener("input", move);
  move();
  return placed(
    element("figure", { class: "shot single" }, element("figcaption", { class: "both" }, badge(one.client), range, badge(other.client)), layers),
    { "--natural": `${crop.width}px` },
  );
}

function blink(frames, crop) {
  const caption = element("span", { class: "turn" });
  const layers = element("div", { class: "layers turns" }, frames.map(({ canvas }) => canvas));
  let turn = 0;
  const show = () => {
    caption.replaceChildren(badge(frames[turn].client), `Client ${clientName(frames[turn].client)}`);
    frames.forEach(({ canvas }, index) => canvas.classList.toggle("hidden", index !== turn));
  };
  const next = () => {
    turn = (turn + 1) % frames.length;
    show();
  };
  const node = placed(element("figure", { class: "shot single" }), { "--natural": `${crop.width}px` });
  const run = (running) => {
    clearInterval(node.blinking);
    node.blinking = running ? setInterval(next, BLINK_MS) : undefined;
    pause.textContent = running ? "Pause" : "Play";
  };
  const pause = element("button", { type: "button", click: () => run(!node.blinking) });
  const step = element("button", { type: "button", click: () => (run(false), next()) }, "Switch");
  node.append(element("figcaption", {}, caption, pause, step), layers);
  show();
  run(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
  return node;
}

function stopBlinking(stage) {
  for (const node of stage.children) clearInterval(node.blinking);
}
