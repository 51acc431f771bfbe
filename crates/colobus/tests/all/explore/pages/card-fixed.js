function card({ id, name }) {
  const [item, link] = [document.createElement("li"), document.createElement("a")];
  item.textContent = `${name} `;
  link.href = `#${encodeURIComponent(id)}`;
  link.textContent = "more";
  item.append(link);
  return item;
}
