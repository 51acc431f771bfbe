// hold, for pages that run on the browser's own clock: what was recorded of sockets and streams comes as long after its
// cause as it did then, and as much later as `settings.delays` says.
((colobus) => {
  const { native, settings } = colobus;
  colobus.hold = ({ run, latency, details: { channel, of, number } }) => {
    const later = settings.delays[`A<${channel}:${of} ${number}`] ?? 0;
    const wait = latency + later;
    // What the page's own parts and workers say comes when the browser brings it.
    if (wait <= 0) {
      run();
      return () => {};
    }
    const timer = native.setTimeout(run, wait);
    return () => native.clearTimeout(timer);
  };
})(globalThis[Symbol.for("colobus")]);
