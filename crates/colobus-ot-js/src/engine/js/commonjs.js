// CommonJS on top of a host that resolves and compiles: `require`, its cache, and the view that ES modules get of it.
(function (host) {
  const cache = new Map();

  function load(path, format) {
    const known = cache.get(path);
    if (known) return known.exports;
    if (format === "module") throw new Error(`${path} is an ES module; use import for it, not require`);
    const module = { exports: {}, id: path, filename: path, loaded: false };
    cache.set(path, module);
    try {
      if (format === "json") {
        module.exports = JSON.parse(host.read(path));
      } else {
        const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || "/";
        host.compile(path).call(module.exports, module.exports, requireFrom(path), module, path, folder);
      }
    } catch (error) {
      cache.delete(path);
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  function requireFrom(from) {
    return (specifier) => {
      const [path, format] = host.resolve(String(specifier), from);
      return load(path, format);
    };
  }

  // Names that can be re-exported; `default` is exported whole.
  const nameable = /^[A-Za-z_$][\w$]*$/;

  // An ES module's source that exports what a CommonJS module exported.
  function facade(path, format) {
    const exported = load(path, format);
    const names = exported !== null && ["object", "function"].includes(typeof exported)
      ? Object.keys(exported).filter((name) => nameable.test(name) && name !== "default")
      : [];
    const lines = [
      `const exported = globalThis["colobus:load"](${JSON.stringify(path)}, ${JSON.stringify(format)});`,
      "export default exported;",
      ...names.map((name, index) => `const value${index} = exported[${JSON.stringify(name)}]; export { value${index} as ${name} };`),
    ];
    return lines.join("\n");
  }

  // Not enumerable: libraries that look through the globals do not meet them.
  Object.defineProperty(globalThis, "colobus:load", { value: load });
  Object.defineProperty(globalThis, "colobus:facade", { value: facade });
  return load;
})
