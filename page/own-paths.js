function () { return globalThis[Symbol.for('colobus')].element.paths(this); }
