function latest(comments) {
  const last = comments[comments.length - 1];
  if (!last) return "No comments yet";
  return `${last.author}: ${last.text}`;
}
