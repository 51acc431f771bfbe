// captures: what regular expressions find in texts, as state: whether there is a match is a condition, and what its groups capture
// are parts of the text.
((colobus) => {
  const { apply, known, pair, isPrimitive } = colobus.symbolic;
  const { branch, propertiesOf, proxies } = colobus.concolic;
  const { exec } = RegExp.prototype;
  const { match, split } = String.prototype;

  // `colobus-reach` decides what it follows; what it never does is told apart here, so that it is named.
  const BEYOND = /\\[1-9kbB]|\(\?(?:[=!]|<[=!])/;
  const isFollowed = (pattern) => !proxies.has(pattern) && pattern instanceof RegExp && /^i?$/.test(pattern.flags) && !BEYOND.test(pattern.source);
  const written = (pattern) => [pattern.source, pattern.flags];

  // The names of groups by their number; groups without a name have none.
  const TOKENS = /\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)|\(\?<([^>]*)>/gs;
  const namesOf = (pattern) => [...pattern.source.matchAll(TOKENS)].filter(([token]) => token.startsWith("(")).map(([, name]) => name);

  const captured = (pattern, subject, site) => (result) => {
    branch(apply({ test: written(pattern) }, subject), result !== null, site);
    if (result === null) return null;
    const parts = propertiesOf(result);
    const groupAt = (value, at) => pair(value, apply({ capture: [written(pattern), at] }, subject));
    result.forEach((value, at) => parts.set(String(at), groupAt(value, at)));
    parts.set("index", pair(result.index, apply({ search: written(pattern) }, subject)));
    parts.set("input", pair(result.input, subject));
    namesOf(pattern).forEach((name, at) => name && propertiesOf(result.groups).set(name, groupAt(result.groups[name], at + 1)));
    return null;
  };

  // The parts of a text between matches, of which some that are not there are known, too.
  const parted = (pattern, subject) => (result) => {
    const parts = propertiesOf(result);
    const separator = [pattern.source, pattern.flags];
    for (let at = 0; at < result.length + 2; at++) parts.set(String(at), pair(result[at], apply({ splitby: [separator, at] }, subject)));
    parts.set("length", pair(result.length, apply({ splitbylength: separator }, subject)));
    return null;
  };

  const before = (f, self, givenSelf, values, given, site) => {
    if (f === exec && values.length === 1 && isFollowed(self) && isPrimitive(values[0])) {
      const text = known(given[0], values[0]);
      const subject = text && (typeof values[0] === "string" ? text : apply("totext", text));
      return subject ? { values, after: captured(self, subject, site) } : null;
    }
    if ((f !== match && f !== split) || typeof self !== "string" || values.length !== 1) return null;
    const subject = isFollowed(values[0]) ? known(givenSelf, self) : null;
    if (subject && f === match) return { values, after: captured(values[0], subject, site) };
    return subject && namesOf(values[0]).length === 0 ? { values, after: parted(values[0], subject) } : null;
  };

  colobus.concolic.captures = { before, isFollowed, written };
})(globalThis[Symbol.for("colobus")]);
