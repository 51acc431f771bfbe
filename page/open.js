// The one name that Colobus adds to a page: a symbol, not enumerable, under which the files after this one put what they offer.
Object.defineProperty(globalThis, Symbol.for("colobus"), { value: Object.create(null) });
