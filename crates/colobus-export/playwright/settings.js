globalThis[Symbol.for("colobus")].settings = {
  css: settings.css,
  random: settings.seed !== undefined,
  seed: settings.seed,
  client: settings.client,
  load: 0,
  place: "page",
};
