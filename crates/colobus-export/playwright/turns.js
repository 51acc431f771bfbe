// What a page needs whose events come one by one: the name of the event whose turn it is, on which its random numbers
// depend, a picture that `load` waits for, what sockets and streams brought when it was recorded (`channels`), what workers and
// other parts of the page bring (`ports`), and a way to know
// that the page has run what was ready.
((colobus) => {
  const state = { event: "", draws: 0 };
  const { native, settings } = colobus;
  // `ports` puts another one in its place.
  const { MessageChannel } = globalThis;
  const messages = {};
  if (settings.messages) {
    colobus.hold = ({ run, details: { channel, of, number } }) => {
      const name = `A<${channel}:${of} ${number}`;
      messages[name] = run;
      return () => delete messages[name];
    };
  }
  colobus.held = {
    state,
    begin(event) {
      Object.assign(state, { event, draws: 0 });
    },
    waiting: () => Object.keys(messages),
    deliver(name) {
      const run = messages[name];
      delete messages[name];
      run?.();
      return run !== undefined;
    },
    async drained() {
      const { port1, port2 } = new MessageChannel();
      for (let round = 0; round < 5; round++) {
        await new Promise((done) => {
          port1.onmessage = done;
          native.post.call(port2, null);
        });
        await new Promise((done) => native.setTimeout(done, 0));
      }
    },
  };
  if (globalThis.parent === globalThis && location.protocol.startsWith("http")) new Image().src = settings.sentinel;
})(globalThis[Symbol.for("colobus")]);
