function () { return globalThis[Symbol.for('colobus')].frameCorner(this); }
