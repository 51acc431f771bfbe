function pause(ms) {
  return new Promise((over) => setTimeout(over, ms));
}

/** Whether the condition was met before the limit. */
async function until(condition, limitMs) {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) return false;
    await pause(10);
  }
  return true;
}
