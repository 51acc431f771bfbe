async function crumbs(folder) {
  const way = [folder.name];
  const seen = new Set([folder]);
  let at = folder;
  while (at.parent) {
    at = folders.get(at.parent) ?? (await get(at.parent));
    if (seen.has(at)) break;
    seen.add(at);
    way.unshift(at.name);
  }
  return way;
}
