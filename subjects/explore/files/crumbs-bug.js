// The way from the top to a folder. Parents are followed until there is none, and expected to end.
async function crumbs(folder) {
  const way = [folder.name];
  let at = folder;
  while (at && at.parent) {
    at = folders.get(at.parent) ?? (await get(at.parent));
    way.unshift(at.name);
    if (way.length > 1000) way.pop();
  }
  return way;
}
