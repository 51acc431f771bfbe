// hold, for pages that run on the browser's own clock: what was recorded of sockets and streams comes as long after its
// cause as it did then, and as much later as `settings.delays` says.
((colobus) => {
  const { native, settings } = colobus;
  colobus.hold = ({ run, latency, details: { channel, of, number } }) => {
    const later = settings.delays[`A<${channel}:${of} ${number}`] ?? 0;
    const timer = native.setTimeout(run, Math.max(0, latency + later));
    return () => native.clearTimeout(timer);
  };
})(globalThis[Symbol.for("colobus")]);
