// Loads a script into a page of jsdom and prints how many milliseconds that took: node load.js runtime.js script.js
const fs = require("node:fs");
const { JSDOM } = require("../packages/node_modules/jsdom");

const [runtime, script] = process.argv.slice(2).map((file) => fs.readFileSync(file, "utf8"));
const react = fs.readFileSync(require.resolve("../packages/node_modules/react/umd/react.development.js"), "utf8");
const times = [];
for (let round = 0; round < 5; round++) {
  const { window } = new JSDOM("<!DOCTYPE html><body></body>", { runScripts: "outside-only", pretendToBeVisual: true });
  // react-dom needs it.
  window.eval(react);
  window.eval(runtime);
  const started = performance.now();
  window.eval(script);
  times.push(performance.now() - started);
}
console.log(Math.min(...times));
process.exit(0);
