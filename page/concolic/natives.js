// natives: functions of the language whose results can be told from their arguments. A new one is a line here, if
// `colobus-reach` has its operator.
((colobus) => {
  const { apply, constant, isPrimitive } = colobus.symbolic;
  const { captures } = colobus.concolic;
  const S = String.prototype;
  const models = new Map();

  // `self` and `args` are [value, expression] pairs; expressions of plain values are constants.
  const model = (native, compute) => native && models.set(native, compute);
  const text = ([value, expr]) => (typeof value === "string" ? expr : null);
  const all = (list) => list.every(([value, expr]) => isPrimitive(value) && expr);
  const onText = (operator, most) => (self, args) => (text(self) && args.length <= most && all(args) ? apply(operator, self[1], ...args.map((arg) => arg[1])) : null);
  const onTexts = (operator) => (self, args) => (text(self) && args.length === 1 && text(args[0]) ? apply(operator, self[1], args[0][1]) : null);
  const onOne = (operator) => (_, args) => (args.length >= 1 && all(args.slice(0, 1)) ? apply(operator, args[0][1]) : null);
  const onTwo = (operator) => (_, args) => (args.length === 2 && all(args) ? apply(operator, args[0][1], args[1][1]) : null);
  const whole = (pair) => typeof pair[0] === "number" && pair[1];

  model(S.trim, onText("trim", 0));
  model(S.toLowerCase, onText("tolower", 0));
  model(S.toUpperCase, onText("toupper", 0));
  model(S.toString, (self) => text(self));
  model(S.includes, onTexts("includes"));
  model(S.startsWith, onTexts("startswith"));
  model(S.endsWith, onTexts("endswith"));
  model(S.charAt, (self, args) => (text(self) && args.length === 1 && whole(args[0]) ? apply("charat", self[1], args[0][1]) : null));
  model(S.indexOf, (self, args) => (text(self) && args.length >= 1 && args.length <= 2 && text(args[0]) && (args.length === 1 || whole(args[1])) ? apply("indexof", self[1], args[0][1], args[1]?.[1] ?? constant(0)) : null));
  model(S.slice, (self, args) => (text(self) && args.length >= 1 && args.length <= 2 && args.every(whole) ? apply("slice", self[1], args[0][1], args[1]?.[1] ?? constant(undefined)) : null));
  // Where both ends are known and in order, it is the slice.
  model(S.substring, (self, args) => {
    const isFixed = args.length >= 1 && args.length <= 2 && args.every((arg) => typeof arg[0] === "number" && arg[0] >= 0 && arg[1].json.constant);
    return text(self) && isFixed && (args.length === 1 || args[0][0] <= args[1][0]) ? apply("slice", self[1], args[0][1], args[1]?.[1] ?? constant(undefined)) : null;
  });
  model(Number.prototype.toString, (self, args) => (args.length === 0 && typeof self[0] === "number" ? apply("totext", self[1]) : null));
  model(Number, onOne("tonumber"));
  model(String, onOne("totext"));
  model(Boolean, (_, args) => (args.length >= 1 && all(args.slice(0, 1)) ? apply("not", apply("not", args[0][1])) : null));
  model(isNaN, onOne("isnan"));
  model(Number.isNaN, (_, args) => (args.length === 1 && typeof args[0][0] === "number" ? apply("isnan", args[0][1]) : null));
  const parse = (_, args) => (args.length >= 1 && all(args.slice(0, 1)) && (args.length === 1 || args[1][0] === 10) ? apply("parseint", args[0][1]) : null);
  model(parseInt, parse);
  model(Math.floor, onOne("floor"));
  model(Math.ceil, onOne("ceil"));
  model(Math.trunc, onOne("trunc"));
  model(Math.abs, onOne("abs"));
  model(Math.min, onTwo("min"));
  model(Math.max, onTwo("max"));
  model(RegExp.prototype.test, (self, args) => {
    const pattern = self[0];
    if (!(pattern instanceof RegExp) || /[gy]/.test(pattern.flags) || args.length !== 1 || !all(args)) return null;
    return apply({ test: captures.written(pattern) }, args[0][1]);
  });
  model(S.search, (self, args) => (text(self) && args.length === 1 && captures.isFollowed(args[0][0]) ? apply({ search: captures.written(args[0][0]) }, self[1]) : null));

  // What no event can choose: a value of its own in every run, with a condition on it that says so.
  const inputs = new Map([
    [Math.random, { name: "chance", least: 0, below: 1 }],
    [Date.now, { name: "the time", least: 0, below: 1e15 }],
  ]);

  Object.assign(colobus.concolic, { models, inputs });
})(globalThis[Symbol.for("colobus")]);
