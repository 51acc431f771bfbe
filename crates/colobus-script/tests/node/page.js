// A page in jsdom that runs a QUnit suite of the time before modules: node page.js folder runtime|- script …
// Prints one line for each test (name, passed, failed) and a last one with the totals.
const fs = require("node:fs");
const path = require("node:path");

const [folder, runtime, packages, ...scripts] = process.argv.slice(2);
const { JSDOM, VirtualConsole } = require(path.join(packages, "jsdom"));
const body = '<h1 id="qunit-header">Suite</h1><h2 id="qunit-banner"></h2><h2 id="qunit-userAgent"></h2><ol id="qunit-tests"></ol>';
const { window } = new JSDOM(`<!DOCTYPE html><body>${body}</body>`, {
  url: "http://example.com/",
  runScripts: "outside-only",
  virtualConsole: new VirtualConsole(),
});
window.scrollTo = () => {};
if (runtime !== "-") {
  window.eval(fs.readFileSync(runtime, "utf8"));
  window.eval('globalThis[Symbol.for("colobus")].accesses.begin("suite")');
}
for (const script of scripts) {
  window.eval(`${fs.readFileSync(path.join(folder, script), "utf8")}\n//# sourceURL=${script}`);
  if (script.endsWith("qunit.js")) {
    window.QUnit.config.reorder = false;
    window.QUnit.config.autostart = true;
    window.QUnit.testDone = ({ name, passed, failed }) => console.log(JSON.stringify({ name, passed, failed }));
    window.QUnit.done = ({ passed, failed, total }) => {
      console.log(JSON.stringify({ passed, failed, total }));
      setImmediate(() => process.exit(0));
    };
  }
}
window.dispatchEvent(new window.Event("load"));
