// lists: what is known of the elements and the length of arrays when the language's own functions go over them or change them.
((colobus) => {
  const { apply, known, pair, expr, constant, isPrimitive } = colobus.symbolic;
  const { lose, branch, properties, propertiesOf, isObject, leave, left } = colobus.concolic;
  const A = Array.prototype;
  const MOST_COMPARED = 20;

  const at = (list, index) => properties.get(list)?.get(String(index)) ?? null;
  const lengthOf = (list) => known(properties.get(list)?.get("length"), list.length);
  // Everything known of a list, in the order of its elements.
  const beside = (list) => Array.from({ length: list.length }, (_, index) => known(at(list, index), list[index]) ? at(list, index) : null);
  const keep = (list, all) => {
    if (!properties.has(list) && all.every((given) => !given)) return;
    all.forEach((given, index) => propertiesOf(list).set(String(index), given));
  };
  const setLength = (list, expr) => {
    if (expr || properties.get(list)?.get("length")) propertiesOf(list).set("length", pair(list.length, expr));
  };
  const moved = (length, by) => (by === 0 ? length : apply(by > 0 ? "add" : "subtract", length, constant(Math.abs(by))));

  // Functions that are given a function: it gets to know of the elements, and what it returns is known.
  const over = (self, callback, hand, returned) =>
    function (element, index, list) {
      "use strict";
      leave(null);
      const result = hand([at(self, index), null, null], [element, index, list], () => Reflect.apply(callback, this, [element, index, list]));
      returned(known(left(), result) ? left() : null, result, index);
      leave(null);
      return result;
    };
  const decide = (site) => (given, result) => {
    if (given) branch(given.expr, Boolean(result), site);
  };
  const loseLength = (self, site) => {
    if (lengthOf(self)) lose(site, "the length of a list");
  };
  const higher = new Map([
    [A.forEach, () => ({ returned: () => {}, after: () => null })],
    [A.map, (self) => {
      const all = [];
      const after = (result) => {
        if (!Array.isArray(result)) return null;
        keep(result, all);
        setLength(result, lengthOf(self));
        return null;
      };
      return { returned: (given, _, index) => (all[index] = given), after };
    }],
    [A.filter, (self, site) => {
      const all = [];
      const returned = (given, result, index) => {
        decide(site)(given, result);
        if (result) all.push(at(self, index));
      };
      return { returned, after: (result) => (Array.isArray(result) && keep(result, all), null) };
    }],
    [A.find, (self, site) => {
      let found = null;
      const returned = (given, result, index) => {
        decide(site)(given, result);
        if (result) found = at(self, index);
      };
      return { returned, after: (result) => (known(found, result) ? found : null) };
    }],
    ...[A.some, A.every, A.findIndex, A.findLast, A.findLastIndex].filter(Boolean).map((f) => [f, (_, site) => ({ returned: decide(site), after: () => null })]),
  ]);
  const reduced = (self, values, given, hand) => {
    const callback = values[0];
    let total = values.length > 1 ? given[1] : at(self, 0);
    const step = function (before, element, index, list) {
      "use strict";
      leave(null);
      const result = hand([total, at(self, index)], [before, element, index, list], () => callback(before, element, index, list));
      total = known(left(), result) ? left() : null;
      return result;
    };
    return { values: [step, ...values.slice(1)], after: (result) => (known(total, result) ? total : null) };
  };

  // Functions that change a list do the same to what is known of it.
  const changing = new Map([
    [A.push, (all, given) => all.push(...given)],
    [A.unshift, (all, given) => all.unshift(...given)],
    [A.pop, (all) => all.pop()],
    [A.shift, (all) => all.shift()],
    [A.reverse, (all) => all.reverse()],
    [A.splice, (all, given, values) => all.splice(...values.slice(0, 2), ...given.slice(2))],
    [A.fill, (all, given, values) => all.fill(given[0] ?? null, ...values.slice(1))],
  ]);
  const changed = (f, self, values, given) => {
    const [all, length, count] = [beside(self), lengthOf(self), self.length];
    const removed = changing.get(f)(all, given.map((given, index) => (known(given, values[index]) ? given : null)), values);
    return (result) => {
      keep(self, all);
      const isTaken = f === A.pop || f === A.shift;
      setLength(self, length && (isTaken ? apply("max", constant(0), moved(length, -1)) : moved(length, self.length - count)));
      if (f === A.splice && Array.isArray(result)) keep(result, removed);
      if (f === A.push || f === A.unshift) return properties.get(self)?.get("length") ?? null;
      return isTaken && known(removed, result) ? removed : null;
    };
  };

  const searched = (f, self, values, given, site) => {
    const isKnown = known(given[0], values[0]) || beside(self).some(Boolean);
    if (!isKnown) return null;
    const wanted = expr(values[0], given[0]);
    const isPossible = wanted && values.length === 1 && self.length <= MOST_COMPARED && self.every(isPrimitive);
    if (!isPossible) return () => (lose(site, "a search in a list"), null);
    const same = self.map((value, index) => apply("same", expr(value, at(self, index)), wanted));
    if (f === A.includes) return (result) => pair(result, same.reduceRight((rest, one) => rest && one && apply("or", one, rest), constant(false)));
    return (result) => pair(result, same.reduceRight((rest, one, index) => rest && one && apply("conditional", one, constant(index), rest), constant(-1)));
  };
  const joinedText = (self, values) => {
    if (!beside(self).some(Boolean) || !self.every((value) => isPrimitive(value) && value !== null && value !== undefined)) return null;
    const separator = constant(values[0] === undefined ? "," : String(values[0]));
    const parts = self.flatMap((value, index) => [...(index ? [separator] : []), expr(value, at(self, index))]);
    return (result) => pair(result, apply("template", ...parts));
  };
  const copied = (f, self, values) => {
    const all = Reflect.apply(f, beside(self), f === A.concat ? values.map((value) => (Array.isArray(value) ? beside(value) : [null])) : values);
    const isWhole = f === A.slice && (values.length === 0 || (values[0] === 0 && values.length === 1));
    return (result) => {
      keep(result, all);
      if (isWhole) setLength(result, lengthOf(self));
      if (f === A.concat) setLength(result, joined(result.length, [self, ...values.filter(Array.isArray)])?.expr);
      return null;
    };
  };

  // The length of a list that was made of other lists and single elements.
  const joined = (length, parts) => {
    const lengths = parts.map((part) => properties.get(part)?.get("length")).map((given, index) => known(given, parts[index].length));
    if (!lengths.some(Boolean)) return null;
    const fixed = length - parts.reduce((sum, part, index) => sum + (lengths[index] ? part.length : 0), 0);
    const sum = lengths.filter(Boolean).reduce((sum, length) => sum && apply("add", sum, length));
    return pair(length, sum && moved(sum, fixed));
  };

  // Functions on objects that copy their properties.
  const of = (object) => (isObject(object) ? properties.get(object) : null);
  const objects = new Map([
    [Object.values, ([object]) => (result) => (of(object) && keep(result, Object.keys(object).map((name) => of(object).get(name) ?? null)), null)],
    [Object.entries, ([object]) => (result) => (of(object) && result.forEach((entry) => keep(entry, [null, of(object).get(entry[0]) ?? null])), null)],
    [Object.assign, ([target, ...sources]) => () => {
      for (const source of sources) of(source)?.forEach((given, name) => propertiesOf(target).set(name, given));
      return null;
    }],
    [Array.from, ([list, callback]) => (result) => {
      if (Array.isArray(list) && !callback) keep(result, beside(list));
      return null;
    }],
  ]);

  // What to do after a call of a function of the language, and with which arguments; nothing for other functions.
  const before = (f, self, values, given, site, hand) => {
    if (objects.has(f)) return { values, after: objects.get(f)(values) };
    if (!Array.isArray(self)) return null;
    if (higher.has(f) && typeof values[0] === "function") {
      const { returned, after } = higher.get(f)(self, site);
      loseLength(self, site);
      return { values: [over(self, values[0], hand, returned), ...values.slice(1)], after };
    }
    if (f === A.reduce && typeof values[0] === "function") {
      loseLength(self, site);
      return reduced(self, values, given, hand);
    }
    if (changing.has(f)) return { values, after: changed(f, self, values, given) };
    let after = null;
    if (f === A.includes || f === A.indexOf) after = searched(f, self, values, given, site);
    else if (f === A.join) after = joinedText(self, values);
    else if (f === A.slice || f === A.concat) after = copied(f, self, values);
    else if (f === A.sort && beside(self).some(Boolean)) {
      lose(site, "the order of a list");
      after = () => (self.forEach((_, index) => propertiesOf(self).set(String(index), null)), null);
    }
    return after && { values, after };
  };

  colobus.concolic.lists = { before, joined };
})(globalThis[Symbol.for("colobus")]);
