// serviceWorkers: a page that wants to register one waits until the browser lets requests pass them by. The driver, which is told through
// a binding, sees to that and calls `passBy`.
((colobus) => {
  const name = colobus.settings.binding;
  const tell = globalThis[name];
  delete globalThis[name];
  if (!tell || !globalThis.ServiceWorkerContainer) return;
  let passBy;
  const passedBy = new Promise((resolve) => (passBy = resolve));
  colobus.serviceWorkers = { passBy };
  colobus.wrapNative(ServiceWorkerContainer.prototype, "register", {
    async apply(target, self, args) {
      tell("");
      await passedBy;
      return Reflect.apply(target, self, args);
    },
  });
})(globalThis[Symbol.for("colobus")]);
