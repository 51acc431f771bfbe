function card({ id, name }) {
  const [item, link] = [document.createElement("li"), document.createElement("a")];
  item.innerHTML = `<b>${name}</b> `;
  link.href = id;
  link.textContent = "more";
  item.append(link);
  return item;
}
