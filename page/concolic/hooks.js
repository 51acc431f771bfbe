// hooks: state that React keeps for components. `useState` and `useReducer` are known by what they return; their state is a variable
// of the page, named after the variable that the program gives it. Elements pass what is known of their properties on.
((colobus) => {
  const { known } = colobus.symbolic;
  const { leave, left, properties, propertiesOf, isObject, own, proxies, current } = colobus.concolic;

  // One piece of state. The function that sets it is the same for its whole life.
  const states = [];
  const byDispatch = new WeakMap();
  const named = new Map();
  // The states that pairs of a value and a function belong to.
  const results = new WeakMap();
  // What was rendered, and how.
  const roots = new Map();
  const rendered = new Map();

  // How often everything was rendered again. A state that was not shown since belongs to nothing any more.
  let rendering = 0;

  const newState = (dispatch, isReduced) => {
    const state = { name: null, value: undefined, given: null, dispatch, isReduced };
    byDispatch.set(dispatch, state);
    states.push(state);
    return state;
  };
  // What a component gets: the value with what is known of it.
  const show = (result, isReduced) => {
    const [value, dispatch] = result;
    const state = byDispatch.get(dispatch) ?? newState(dispatch, isReduced);
    state.value = value;
    state.rendering = rendering;
    results.set(result, state);
    if (current() && !isObject(value)) propertiesOf(result).set("0", known(state.given, value) ? state.given : null);
    return state;
  };
  const isPair = (result) => Array.isArray(result) && result.length === 2 && typeof result[1] === "function";

  // A function from the old state to the new one: it gets to know of the old one, and what it returns is known.
  const updater = (state, update, hand) => (old) => {
    leave(null);
    const result = hand([state()?.given], [old], () => update(old));
    if (state()) state().given = known(left(), result) ? left() : null;
    leave(null);
    return result;
  };
  const reducers = new WeakMap();
  const reducer = (reduce, hand) => {
    if (!reducers.has(reduce)) {
      const holder = { state: null };
      const wrapped = (old, action) => {
        const result = hand([holder.state && known(holder.state.given, old) ? holder.state.given : null, null], [old, action], () => reduce(old, action));
        if (holder.state) holder.state.given = known(left(), result) ? left() : null;
        leave(null);
        return result;
      };
      reducers.set(reduce, { wrapped, holder });
    }
    return reducers.get(reduce);
  };
  const isElement = (result) => typeof own(result, "$$typeof") === "symbol" && isObject(own(result, "props"));

  // Functions of React, whose own names builds may have taken away.
  const names = ["useState", "useReducer", "createElement", "jsx", "jsxs"];
  const ofReact = new WeakMap();
  const nameOf = (f, self) => {
    for (const owner of [self, own(globalThis, "React")]) {
      if (typeof own(owner, "useState") !== "function" && typeof own(owner, "jsx") !== "function") continue;
      for (const name of names) if (typeof own(owner, name) === "function") ofReact.set(owner[name], name);
    }
    return ofReact.get(f) ?? own(f, "name");
  };

  const plainly = (_given, _values, invoke) => invoke();
  // What to do after a call of a function of React, and with which arguments; nothing for other functions.
  const before = (f, self, values, given, hand = plainly) => {
    if (typeof f !== "function" || proxies.has(f)) return null;
    const called = nameOf(f, self);
    if (isElement(values[0]) && isObject(self) && typeof self.unmount === "function") {
      roots.set(self, (element = values[0]) => Reflect.apply(f, self, [element]));
      rendered.set(self, values[0]);
      return null;
    }
    const state = byDispatch.get(f);
    if (state && !state.isReduced) {
      if (typeof values[0] === "function") return { values: [updater(() => state, values[0], hand)], after: () => null };
      state.given = known(given[0], values[0]) ? given[0] : null;
      return { values, after: () => null };
    }
    if (called === "useState") return { values, after: (result) => (isPair(result) && show(result, false), null) };
    if (called === "useReducer" && typeof values[0] === "function") {
      const { wrapped, holder } = reducer(values[0], hand);
      return { values: [wrapped, ...values.slice(1)], after: (result) => (isPair(result) && (holder.state = show(result, true)), null) };
    }
    if (["createElement", "jsx", "jsxs", "jsxDEV"].includes(called) && isObject(values[1])) {
      const after = (result) => {
        const all = isElement(result) ? properties.get(values[1]) : null;
        all?.forEach((given, name) => name in result.props && propertiesOf(result.props).set(name, given));
        return null;
      };
      return { values, after };
    }
    return null;
  };

  // A state is called as the program calls it.
  const name = (result, wanted) => {
    const state = isObject(result) ? results.get(result) : null;
    if (!state || state.name || !wanted) return;
    // What is shown again after it was gone takes the name of what was gone.
    const gone = states.findIndex((other) => other.wanted === wanted && other.rendering < rendering);
    state.wanted = wanted;
    if (gone >= 0) {
      state.name = states[gone].name;
      states.splice(gone, 1);
      return;
    }
    const count = (named.get(wanted) ?? 0) + 1;
    named.set(wanted, count);
    state.name = count === 1 ? wanted : `${wanted}~${count}`;
  };

  // Renders everything again: an element with other properties has to be.
  const renderAgain = () => {
    rendering += 1;
    for (const [root, render] of roots) {
      const element = rendered.get(root);
      const parts = Object.getOwnPropertyDescriptors(element);
      parts.props = { ...parts.props, value: { ...element.props } };
      render(Object.create(Object.getPrototypeOf(element), parts));
    }
  };
  const places = () =>
    states
      .filter((state) => state.name)
      .map((state) => ({
        name: state.name,
        isState: true,
        get: () => state.value,
        set: state.isReduced ? null : (value) => state.dispatch(() => value),
        take: () => state.given,
        keep: (given) => (state.given = given),
      }));

  colobus.concolic.hooks = { before, name, places, renderAgain, isUsed: () => roots.size > 0 };
})(globalThis[Symbol.for("colobus")]);
