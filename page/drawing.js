// drawing: waits until the browser has drawn a frame; one that draws none is not waited for without end.
((colobus) => {
  const { native } = colobus;
  const { frameMs } = colobus.settings.limits;

  colobus.drawn = () =>
    new Promise((resolve) => {
      native.requestAnimationFrame(() => resolve());
      native.setTimeout(resolve, frameMs);
    });
})(globalThis[Symbol.for("colobus")]);
