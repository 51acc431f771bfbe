// values: what instrumented code calls for names, operators and conditions. `run` is the record of the handler that is followed.
((colobus) => {
  const { apply, known, pair, expr, constant } = colobus.symbolic;
  const MOST_STEPS = 200000;

  // What was computed last, until its consumer takes it.
  let register = null;
  // The record of the run; nothing while no handler is followed.
  let run = null;
  // Statements that ran while no handler was followed: when the page was opened.
  const opened = new Set();
  const globals = new Map();
  const properties = new WeakMap();

  class Stopped extends Error {}
  const lose = (site, what) => {
    if (run) run.lost.set(`${site} ${what}`, { site, what });
  };
  const step = () => {
    if (!run) return;
    run.steps += 1;
    if (run.stopped || run.steps > MOST_STEPS) {
      run.stopped = `it was stopped after ${MOST_STEPS} statements`;
      throw new Stopped(run.stopped);
    }
  };
  const branch = (condition, taken, site) => {
    if (!run || !condition || "constant" in condition.json) return;
    const truthy = taken ? condition : negated(condition);
    const key = JSON.stringify(truthy.json);
    if (run.decided.has(key)) return;
    run.decided.add(key);
    run.branches.push({ expr: truthy.json, site });
  };
  const negated = (condition) => {
    const inner = condition.json.apply;
    return inner && inner[0] === "not" ? { json: inner[1][0], size: condition.size - 1 } : apply("not", condition);
  };

  const OPERATORS = { "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remainder", "&": "bitand", "|": "bitor", "^": "bitxor", "<<": "shiftleft", ">>": "shiftright", ">>>": "shiftunsigned", "<": "less", "<=": "atmost", ">": "greater", ">=": "atleast", "==": "equal", "!=": "notequal", "===": "same", "!==": "notsame" };
  const COMPUTE = {
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b, "%": (a, b) => a % b, "**": (a, b) => a ** b,
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
    "==": (a, b) => a == b, "!=": (a, b) => a != b, "===": (a, b) => a === b, "!==": (a, b) => a !== b,
    "&": (a, b) => a & b, "|": (a, b) => a | b, "^": (a, b) => a ^ b, "<<": (a, b) => a << b, ">>": (a, b) => a >> b, ">>>": (a, b) => a >>> b,
  };

  // The symbolic value of an operation, if one of its operands has one.
  const operation = (sign, a, sa, b, sb, site) => {
    if (!known(sa, a) && !known(sb, b)) return null;
    const operands = [expr(a, sa), expr(b, sb)];
    const operator = OPERATORS[sign];
    const result = operator && operands[0] && operands[1] ? apply(operator, ...operands) : null;
    if (!result) lose(site, sign);
    return result;
  };

  const propertiesOf = (object) => {
    let found = properties.get(object);
    if (!found) properties.set(object, (found = new Map()));
    return found;
  };
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

  // Objects that answer by code of the page whatever they are asked.
  const proxies = new WeakSet();
  const print = Function.prototype.toString;
  const isNative = (f) => /\{\s*\[native code\]\s*\}\s*$/.test(Reflect.apply(print, f, []));
  // An own property, or one that an object of the browser has, without running code of the page.
  const own = (object, name) => {
    if (!isObject(object) || proxies.has(object)) return undefined;
    const found = Object.getOwnPropertyDescriptor(object, name);
    if (found) return found.value;
    for (let from = Object.getPrototypeOf(object); from && !proxies.has(from); from = Object.getPrototypeOf(from)) {
      const inherited = Object.getOwnPropertyDescriptor(from, name);
      if (inherited) return inherited.get && isNative(inherited.get) ? Reflect.apply(inherited.get, object, []) : undefined;
    }
    return undefined;
  };

  const toNumeric = (value) => {
    if (typeof value === "number" || typeof value === "bigint") return value;
    // An object may become either, and is asked once.
    const primitive = isObject(value) ? -(-value) : value;
    return typeof primitive === "bigint" ? primitive : Number(primitive);
  };
  // What was counted last, as a number.
  let counted = 0;

  const k = {
    t: () => {
      const taken = register;
      register = null;
      return taken;
    },
    // A variable, with what is kept beside it.
    v: (value, beside) => {
      register = run && known(beside, value) ? beside : null;
      return value;
    },
    g: (name, value) => k.v(value, globals.get(name)),
    h: (name) => globals.get(name),
    G: (name, value, given) => {
      if (run) globals.set(name, known(given, value) ? given : null);
      register = given;
      return value;
    },
    x: (value) => {
      register = null;
      return value;
    },
    k: (value, given, site) => {
      if (run && known(given, value)) lose(site, "a value");
      register = null;
      return value;
    },
    // Code that cannot be followed is about to run.
    y: (site) => lose(site, "code given to eval"),
    s: (site) => {
      if (!run) opened.add(site);
      else if (!run.log.has(site)) run.log.set(site, run.branches.length);
      step();
    },
    c: (value, given, site) => {
      branch(known(given, value), Boolean(value), site);
      return value;
    },
    a: (value, given, site) => {
      branch(known(given, value), Boolean(value), site);
      register = known(given, value) ? given : null;
      return value;
    },
    q: (value, given, site) => {
      const symbolic = known(given, value);
      if (symbolic) branch(apply("equal", symbolic, constant(null)), value === null || value === undefined, site);
      register = symbolic ? given : null;
      return value;
    },
    b: (sign, a, sa, b, sb, site) => {
      const value = COMPUTE[sign](a, b);
      register = run ? pair(value, operation(sign, a, sa, b, sb, site)) : null;
      return value;
    },
    n: (sign, a, sa) => {
      const value = sign === "!" ? !a : sign === "-" ? -a : sign === "+" ? +a : typeof a;
      const symbolic = run && known(sa, a);
      register = symbolic ? pair(value, sign === "!" ? negated(symbolic) : apply({ "-": "negate", "+": "tonumber", typeof: "typeof" }[sign], symbolic)) : null;
      return value;
    },
    // One more or less; the old value of `x++` comes from P.
    i: (old, given, by) => {
      counted = toNumeric(old);
      const value = typeof counted === "bigint" ? counted + BigInt(by) : counted + by;
      const symbolic = run && known(given, old);
      register = symbolic ? pair(value, apply(by > 0 ? "add" : "subtract", typeof old === "number" ? symbolic : apply("tonumber", symbolic), constant(1))) : null;
      return value;
    },
    P: (old, given) => {
      const value = isObject(old) ? counted : toNumeric(old);
      const symbolic = run && known(given, old);
      register = symbolic ? pair(value, typeof old === "number" ? symbolic : apply("tonumber", symbolic)) : null;
      return value;
    },
    w: (value, given) => ({ value, given }),
    S: (discriminant, value, given, site) => {
      const result = discriminant.value === value;
      if (run) branch(operation("===", discriminant.value, discriminant.given, value, given, site), result, site);
      return result;
    },
    T: (texts, ...parts) => {
      let value = texts[0];
      const operands = [constant(texts[0])];
      let symbolic = false;
      let possible = true;
      for (let at = 0; at < parts.length; at += 2) {
        value += `${parts[at]}${texts[at / 2 + 1]}`;
        symbolic ||= Boolean(known(parts[at + 1], parts[at]));
        const operand = expr(parts[at], parts[at + 1]);
        possible &&= operand !== null;
        operands.push(operand, constant(texts[at / 2 + 1]));
      }
      const empty = (operand) => operand.json.constant?.text === "";
      register = run && symbolic && possible ? pair(value, apply("template", ...operands.filter((operand) => !empty(operand)))) : null;
      return value;
    },
  };

  Object.defineProperty(globalThis, "__k$", { value: k });
  colobus.concolic = {
    k,
    lose,
    opened,
    globals,
    propertiesOf,
    properties,
    isObject,
    own,
    proxies,
    step,
    branch,
    operation,
    compute: COMPUTE,
    current: () => run,
    follow: (record) => (run = record),
    leave: (given) => (register = given),
    left: () => register,
  };
})(globalThis[Symbol.for("colobus")]);
