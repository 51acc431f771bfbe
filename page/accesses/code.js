// Code that comes from text, and text that comes from code: `eval` and `Function` have their argument rewritten, and a
// function prints as it was written. colobus.accesses.rewrite(kind, parameters, text) returns rewritten code, or undefined if the
// text must run as it is; in pages it is `rewriteAtOnce` of the driver.
((colobus) => {
  const { apply, construct, indexOf, prototypeOf, slice, text } = colobus.kept;
  const { UPDATE, touchOther } = colobus.log;

  // Inserted text stands between two marks; splice.rs chooses one of these.
  const MARKS = ["\f", "\v", "\uFEFF"];

  const markOf = (code) => {
    for (let at = indexOf(code, "__c$"); at >= 0; at--) {
      for (let mark = 0; mark < MARKS.length; mark++) if (code[at] === MARKS[mark]) return MARKS[mark];
    }
    return undefined;
  };

  // Code without what was inserted.
  const original = (code) => {
    const mark = markOf(code);
    if (mark === undefined) return code;
    let kept = "";
    for (let from = 0; ; ) {
      const opens = indexOf(code, mark, from);
      if (opens < 0) return kept + slice(code, from);
      kept += slice(code, from, opens);
      const closes = indexOf(code, mark, opens + 1);
      if (closes < 0) return kept;
      from = closes + 1;
    }
  };

  colobus.wrapPart(Function.prototype, "toString", "value", {
    apply: (print, self, args) => original(apply(print, colobus.nativeOf(self), args)),
  });

  colobus.accesses.rewrite = colobus.rewriteAtOnce;
  const rewritten = (kind, parameters, code) => {
    const result = colobus.accesses.rewrite?.(kind, parameters, code);
    // Nothing is known of code that runs as it is.
    if (result === undefined) touchOther(["anything"], UPDATE);
    return result ?? code;
  };
  colobus.code = { rewritten, original };
  // `around` names the variables that a direct eval sees.
  colobus.accesses.evaluated = (kind, code, around = "") => rewritten(kind, around, code);

  const wrapConstructor = (example, kind) => {
    const prototype = prototypeOf(example);
    const native = prototype.constructor;
    const make = (target, args, newTarget) => {
      if (args.length === 0) return construct(target, args, newTarget);
      const texts = [];
      for (let at = 0; at < args.length; at++) texts[at] = text(args[at]);
      let parameters = "";
      for (let at = 0; at < texts.length - 1; at++) parameters += (at > 0 ? "," : "") + texts[at];
      texts[texts.length - 1] = rewritten(kind, parameters, texts[texts.length - 1]);
      return construct(target, texts, newTarget);
    };
    const wrapped = colobus.wrap(native, {
      apply: (target, self, args) => make(target, args, target),
      construct: (target, args, newTarget) => make(target, args, newTarget === wrapped ? target : newTarget),
    });
    colobus.replace(prototype, "constructor", wrapped);
    return wrapped;
  };
  const wrappedFunction = wrapConstructor(function () {}, "function");
  colobus.replace(globalThis, "Function", wrappedFunction);
  wrapConstructor(async function () {}, "async function");
  wrapConstructor(function* () {}, "generator");
  wrapConstructor(async function* () {}, "async generator");
})(globalThis[Symbol.for("colobus")]);
