// leftovers: what this origin keeps in the browser. A client that logs in begins with the local storage of its login, which is put in
// place here, before any script of the page runs. `somethingNow()` looks everywhere but at cookies, which the driver sees itself;
// `atStart` says whether something else was there before.
((colobus) => {
  const login = colobus.settings.localStorage?.[location.origin] ?? [];
  // Frames of other origins share the settings.
  delete colobus.settings.localStorage;

  const inStorage = () => {
    try {
      return localStorage.length + sessionStorage.length > 0;
    } catch {
      // An origin without storage keeps nothing.
      return false;
    }
  };
  const isOfLogin = (name) => login.some(([own, value]) => own === name && localStorage.getItem(name) === value);
  const beyondLogin = () => {
    if (login.length === 0) return inStorage();
    return sessionStorage.length > 0 || Object.keys(localStorage).some((name) => !isOfLogin(name));
  };
  // A page that went somewhere else meanwhile may have changed it.
  const begin = () => {
    if (login.length === 0 || localStorage.length > 0) return;
    for (const [name, value] of login) localStorage.setItem(name, value);
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

  const atStart = beyondLogin();
  begin();
  colobus.leftovers = {
    atStart,
    async somethingNow() {
      if (inStorage()) return true;
      const found = await Promise.all([databases, caches, workers].map((list) => listed(() => list?.())));
      return found.includes(true);
    },
  };
})(globalThis[Symbol.for("colobus")]);
