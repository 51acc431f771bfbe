// Makes one thing after the other happen in a page at rest, and says of each whether the page noticed that it needs a frame.
(async () => {
  const { activity, native } = globalThis[Symbol.for("colobus")];
  const pause = (ms) => new Promise((resolve) => native.setTimeout(resolve, ms));
  const rest = () => activity.framed(activity.counts.happened);
  const box = document.body.appendChild(document.createElement("div"));
  const host = document.body.appendChild(document.createElement("section"));
  const shadow = host.attachShadow({ mode: "closed" }).appendChild(document.createElement("p"));
  const sheet = document.head.appendChild(document.createElement("style"));
  const form = document.body.appendChild(document.createElement("form"));
  form.onsubmit = (event) => event.preventDefault();
  const keptWaiting = (start) => new Promise(start);
  const causes = {
    nothing: () => pause(20),
    childList: () => box.append("x"),
    attribute: () => box.setAttribute("title", "x"),
    text: () => (box.firstChild.data = "y"),
    style: () => (box.style.color = "red"),
    shadowTree: () => (shadow.textContent = "x"),
    input: () => box.dispatchEvent(new InputEvent("input", { bubbles: true })),
    windowMessage: () => keptWaiting((done) => (addEventListener("message", done, { once: true }), postMessage("x"))),
    timeout: () => keptWaiting((done) => setTimeout(done, 1)),
    longTimeout: () => keptWaiting((done) => setTimeout(done, 150)),
    interval: () => keptWaiting((done) => { const id = setInterval(() => (clearInterval(id), done()), 5); }),
    animationFrame: () => keptWaiting(requestAnimationFrame),
    idle: () => keptWaiting(requestIdleCallback),
    answer: () => fetch("/reset").then((answer) => answer.text()),
    load: () => keptWaiting((done) => { const image = new Image(); image.onerror = done; image.src = "/none"; box.append(image); }),
    scroll: () => keptWaiting((done) => {
      box.style.cssText = "height: 3000px";
      addEventListener("scroll", done, { once: true, capture: true });
      scrollTo(0, 50);
    }),
    resize: () => dispatchEvent(new Event("resize")),
    toggle: () => box.dispatchEvent(new Event("toggle")),
    storage: () => dispatchEvent(new StorageEvent("storage")),
    submit: () => form.requestSubmit(),
    hashchange: () => keptWaiting((done) => (addEventListener("hashchange", done, { once: true }), (location.hash = "x"))),
    popstate: () => keptWaiting((done) => (addEventListener("popstate", done, { once: true }), history.back())),
    observerOfSizes: () => keptWaiting((done) => {
      new ResizeObserver((_, observer) => done(observer.disconnect())).observe(document.body);
    }),
    observerOfView: () => keptWaiting((done) => {
      new IntersectionObserver((_, observer) => done(observer.disconnect())).observe(document.body);
    }),
    // Rules change no node.
    transition: () => {
      const { sheet: rules } = sheet;
      getComputedStyle(box).opacity;
      rules.insertRule("div { transition: opacity 60s; opacity: 0.5 }", 0);
      getComputedStyle(box).opacity;
    },
    animation: () => void box.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 60000 }),
  };
  const noticed = {};
  for (const [name, cause] of Object.entries(causes)) {
    document.getAnimations().forEach((animation) => animation.cancel());
    await pause(0);
    rest();
    await cause();
    await pause(0);
    noticed[name] = activity.needsFrame();
  }
  document.getAnimations().forEach((animation) => animation.cancel());
  sheet.textContent = "@font-face { font-family: slow; src: url(/slow) }";
  document.fonts.load("10px slow").catch(() => {});
  rest();
  noticed.font = activity.needsFrame();
  return noticed;
})()
