// Random numbers are the same in every run; a page that is loaded again draws others.
const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
globalThis[Symbol.for("colobus")].settings = {
  css: settings.css,
  random: settings.seed !== undefined,
  stream: `${settings.seed}/${settings.client}/${isReload ? 1 : 0}/page`,
};
