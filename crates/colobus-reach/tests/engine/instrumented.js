// Runs handlers of instrumented programs, each in a realm of its own, and prints what the runtime says of each as a line of JSON.
//   node instrumented.js cases.json
const fs = require("node:fs");
const vm = require("node:vm");

const { runtime, cases } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const script = new vm.Script(`Object.defineProperty(globalThis, Symbol.for("colobus"), { value: {} });\n${runtime}`);
process.on("unhandledRejection", () => {});

// As browsers have it: texts by key.
const storage = `class Storage {
  #items = new Map();
  get length() { return this.#items.size; }
  key(at) { return [...this.#items.keys()][at] ?? null; }
  getItem(key) { return this.#items.get(String(key)) ?? null; }
  setItem(key, value) { this.#items.set(String(key), String(value)); }
  removeItem(key) { this.#items.delete(String(key)); }
  clear() { this.#items.clear(); }
}
for (const name of Object.getOwnPropertyNames(Storage.prototype)) if (name !== "constructor" && name !== "length") Storage.prototype[name].toString = () => "function () { [native code] }";
globalThis.Storage = Storage;
globalThis.localStorage = new Storage();`;

(async () => {
  for (const { code, before } of cases) {
    const context = vm.createContext({});
    vm.runInContext(storage, context);
    script.runInContext(context);
    new vm.Script(code).runInContext(context);
    const { concolic } = vm.runInContext('globalThis[Symbol.for("colobus")]', context);
    const { finish } = await concolic.run(vm.runInContext("handler", context), { before });
    for (let turn = 0; turn < 20; turn++) await null;
    console.log(JSON.stringify(finish()));
  }
})();
