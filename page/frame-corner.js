// frameCorner: where the content of a frame begins in the document around it.
((colobus) => {
  colobus.frameCorner = (frame) => {
    const { left, top } = frame.getBoundingClientRect();
    const { paddingLeft, paddingTop } = getComputedStyle(frame);
    return { x: left + frame.clientLeft + parseFloat(paddingLeft), y: top + frame.clientTop + parseFloat(paddingTop) };
  };
})(globalThis[Symbol.for("colobus")]);
