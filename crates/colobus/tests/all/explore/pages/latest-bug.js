function latest(comments) {
  const last = comments[comments.length - 1];
  return `${last.author}: ${last.text}`;
}
