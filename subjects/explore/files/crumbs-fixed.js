// The way from the top to a folder. A folder that is its own ancestor ends it.
async function crumbs(folder) {
  const way = [folder.name];
  const seen = new Set([folder.hash]);
  let at = folder;
  while (at && at.parent && !seen.has(at.parent) && way.length < 20) {
    seen.add(at.parent);
    at = folders.get(at.parent) ?? (await get(at.parent));
    way.unshift(at.name);
  }
  return way;
}
