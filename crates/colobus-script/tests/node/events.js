// Runs rewritten scripts as events and prints what was logged: node events.js cases.json
// The file holds { runtime, cases: [{ page, events: [[name, code]], evaluated: [[kind, parameters, text, rewritten]] }] }; page is the HTML of
// a document, or null for none.
const fs = require("node:fs");
const vm = require("node:vm");
const { JSDOM } = require("../packages/node_modules/jsdom");

const realm = (page) => {
  if (page === null) {
    const context = vm.createContext({ console });
    return (code) => vm.runInContext(code, context);
  }
  const { window } = new JSDOM(page, { url: "http://example.com/", runScripts: "outside-only" });
  return (code) => window.eval(code);
};

const { runtime, cases } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const results = cases.map(({ page, events, evaluated }) => {
  const run = realm(page);
  run(runtime);
  const { accesses } = run('globalThis[Symbol.for("colobus")]');
  accesses.rewrite = (kind, parameters, text) => evaluated.find(([k, p, t]) => k === kind && p === parameters && t === text)?.[3];
  for (const [name, code] of events) {
    accesses.begin(name);
    run(code);
    accesses.end();
  }
  return accesses.take();
});
console.log(JSON.stringify(results));
