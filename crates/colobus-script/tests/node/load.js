// Loads a script into a page of jsdom and prints how many milliseconds that took: node load.js runtime.js script.js
const fs = require("node:fs");
const { JSDOM } = require("../packages/node_modules/jsdom");

const [runtime, script] = process.argv.slice(2).map((file) => fs.readFileSync(file, "utf8"));
const times = [];
for (let round = 0; round < 5; round++) {
  const { window } = new JSDOM("<!DOCTYPE html><body></body>", { runScripts: "outside-only" });
  window.React = { __SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED: { ReactCurrentDispatcher: {}, ReactCurrentBatchConfig: {}, ReactCurrentOwner: {}, ReactDebugCurrentFrame: {} }, Children: {} };
  window.eval(runtime);
  const started = performance.now();
  window.eval(script);
  times.push(performance.now() - started);
}
console.log(Math.min(...times));
