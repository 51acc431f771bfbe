// documentStatus(): the HTTP status that this document came with; zero if it came without one.
((colobus) => {
  colobus.documentStatus = () => performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0;
})(globalThis[Symbol.for("colobus")]);
