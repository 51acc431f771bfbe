// kept: what this origin keeps in the browser. `somethingNow()` looks everywhere but at cookies, which the driver sees itself;
// `atStart` says whether something was there before the page's own scripts ran.
((colobus) => {
  const inStorage = () => {
    try {
      return localStorage.length + sessionStorage.length > 0;
    } catch {
      // An origin without storage keeps nothing.
      return false;
    }
  };
  const listed = async (list) => {
    try {
      return ((await list())?.length ?? 0) > 0;
    } catch {
      return false;
    }
  };
  const databases = globalThis.indexedDB?.databases?.bind(globalThis.indexedDB);
  const caches = globalThis.caches?.keys?.bind(globalThis.caches);
  const workers = navigator.serviceWorker?.getRegistrations?.bind(navigator.serviceWorker);

  colobus.kept = {
    atStart: inStorage(),
    async somethingNow() {
      if (inStorage()) return true;
      const found = await Promise.all([databases, caches, workers].map((list) => listed(() => list?.())));
      return found.includes(true);
    },
  };
})(globalThis[Symbol.for("colobus")]);
