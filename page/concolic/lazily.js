// lazily: variables that are made when a handler asks for them first. Which keys a program asks a map, a set or a store for is known only then.
((colobus) => {
  const { pair, variable, written } = colobus.symbolic;
  const { current } = colobus.concolic;

  // The names that `colobus reach` knows from earlier runs: these are listed from the beginning.
  let names = [];
  const hinted = (start, end) => names.filter((name) => name.startsWith(start) && name.endsWith(end)).map((name) => name.slice(start.length, name.length - end.length));

  // Nothing has written it in this run: its value is that with which the run began. `initial` is the one with which the page began.
  const lazily = (name, value, kinds, initial) => {
    const run = current();
    if (!(name in run.entry)) {
      run.entry[name] = written(value);
      run.initial[name] = written(initial);
    }
    return pair(value, variable(name, kinds, "state"));
  };

  Object.assign(colobus.concolic, { lazily, hinted, hint: (known) => (names = known) });
})(globalThis[Symbol.for("colobus")]);
