// Runs programs plain and rewritten, each in a realm of its own, and compares what they print.
//   node compare.js programs.json
// The file holds { runtime, timeout, programs: [{ plain, rewritten, evaluated: [[kind, parameters, text, rewritten]] }] }. Prints one
// JSON line for every program that differs, and a last one with counts.
const fs = require("node:fs");
const vm = require("node:vm");

const FUEL = 300;
const LINES = 400;

// V8 prints source text into some messages, and takes an inserted call for the culprit.
const message = (text) =>
  String(text)
    .replace(/'(class|function|async|\()[^]*'\)?$/, "'…'")
    .replace(/ of '[^]*' as it is /, " of '…' as it is ")
    .replace(/^[^]*? is not (a function|iterable|a constructor)[^]*$/, "… is not usable as this");

// `print` is Function.prototype.toString of the program's realm.
const shower = (print, global, texts = true) => function show(value, depth = 2) {
  switch (typeof value) {
    case "function":
      return `function ${value.name}/${value.length}${texts ? ` ${print.call(value)}` : ""}`;
    case "object":
      break;
    case "bigint":
      return `${value}n`;
    case "string":
      return JSON.stringify(value);
    default:
      return Object.is(value, -0) ? "-0" : String(value);
  }
  if (value === null) return "null";
  if (value === global) return "global";
  if (Object.prototype.toString.call(value) === "[object Error]" && !Array.isArray(value)) {
    return value.name === "SyntaxError" ? value.name : `${value.name}: ${message(value.message)}`;
  }
  if (depth === 0) return "…";
  const parts = Reflect.ownKeys(value).map((key) => {
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    const shown = property && "value" in property ? show(property.value, depth - 1) : "accessor";
    return `${String(key)}: ${shown}`;
  });
  return `${Array.isArray(value) ? "array" : "object"} { ${parts.join(", ")} }`;
};

const drained = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const run = async (code, timeout, runtime, evaluated, texts) => {
  const lines = [];
  let fuel = FUEL;
  const print = (text) => {
    if (lines.length < LINES) lines.push(text);
  };
  const context = vm.createContext({
    log: (...values) => {
      fuel = FUEL;
      if (lines.length >= LINES) throw new Error("enough");
      const text = values.map((value) => {
        try {
          return show(value);
        } catch (error) {
          return `unshown ${error?.name}`;
        }
      });
      print(text.join(" | "));
    },
    tick: () => {
      if (fuel-- <= 0) throw new Error("out of fuel");
    },
  });
  let [accesses, unknown, rewrittenTexts] = [0, 0, 0];
  let colobus;
  let show = shower(Function.prototype.toString, undefined, texts);
  if (runtime) {
    runtime.runInContext(context);
    colobus = vm.runInContext('globalThis[Symbol.for("colobus")]', context);
    if (colobus.accesses) colobus.accesses.rewrite = (kind, parameters, text) => {
      const found = evaluated.find(([k, p, t]) => k === kind && p === parameters && t === text)?.[3];
      if (found === undefined) unknown++;
      else rewrittenTexts++;
      return found;
    };
    colobus.accesses?.begin("program");
    colobus.concolic?.follow(colobus.concolic.record());
  }
  if (!texts) vm.runInContext('Object.defineProperty(Function.prototype, "toString", { value: { toString() { return "function" } }.toString })', context);
  show = shower(vm.runInContext("Function.prototype.toString", context), vm.runInContext("globalThis", context), texts);
  try {
    print(show(new vm.Script(code, { filename: "program.js" }).runInContext(context, { timeout })));
  } catch (error) {
    print(`throws ${show(error)}`);
  }
  await drained();
  if (colobus?.accesses) {
    colobus.accesses.end();
    const taken = JSON.parse(colobus.accesses.take());
    accesses = taken.events.reduce((sum, event) => sum + event.accesses.length / 4, 0);
  }
  return { lines, accesses, unknown, rewrittenTexts };
};

(async () => {
  process.on("unhandledRejection", () => {});
  const { runtime, timeout = 60000, texts = true, programs } = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
  const script = new vm.Script(runtime, { filename: "runtime.js" });
  let [different, lines, accesses, failed, unknown, evaluations] = [0, 0, 0, 0, 0, 0];
  for (const [index, { plain, rewritten, evaluated }] of programs.entries()) {
    const expected = await run(plain, timeout, undefined, undefined, texts);
    const found = await run(rewritten, timeout, script, evaluated, texts);
    lines += expected.lines.length;
    accesses += found.accesses;
    unknown += found.unknown;
    evaluations += found.rewrittenTexts;
    failed += expected.lines.some((line) => line.startsWith("throws SyntaxError")) ? 1 : 0;
    const at = expected.lines.findIndex((line, number) => line !== found.lines[number]);
    if (at < 0 && expected.lines.length === found.lines.length) continue;
    different++;
    const line = at < 0 ? Math.min(expected.lines.length, found.lines.length) : at;
    const [one, other] = [expected.lines[line] ?? "nothing", found.lines[line] ?? "nothing"];
    const same = [...one].findIndex((character, column) => character !== other[column]);
    const around = (text) => text.slice(Math.max(0, same - 80), same + 200);
    if (different <= 5) console.log(JSON.stringify({ index, line, expected: around(one), found: around(other) }));
  }
  console.log(JSON.stringify({ programs: programs.length, different, lines, accesses, invalid: failed, unknown, evaluated: evaluations }));
})();
