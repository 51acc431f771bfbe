// Parses sources before and after they were rewritten: node --experimental-vm-modules parse.js sources.json
// The file holds [{ name, module, plain, rewritten }]. Prints one JSON line for every source whose validity changed, and a
// last one with counts.
const fs = require("node:fs");
const vm = require("node:vm");

const context = vm.createContext({});
const parses = (source, module) => {
  try {
    if (module) new vm.SourceTextModule(source, { context });
    else new vm.Script(source);
    return true;
  } catch (error) {
    return false;
  }
};

const counts = { valid: 0, invalid: 0, changed: 0 };
for (const { name, module, plain, rewritten } of JSON.parse(fs.readFileSync(process.argv[2], "utf8"))) {
  const before = parses(plain, module);
  counts[before ? "valid" : "invalid"]++;
  if (before === parses(rewritten, module)) continue;
  counts.changed++;
  console.log(JSON.stringify({ name, before, plain, rewritten }));
}
console.log(JSON.stringify(counts));
