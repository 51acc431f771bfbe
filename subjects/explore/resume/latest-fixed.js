// What is said of an application in one line.
function latest(comments) {
  const last = comments[comments.length - 1];
  if (!last) return "No comments yet";
  return `${last.author}: ${last.text}`;
}

function range(values) {
  if (!values.length) return "";
  return `${values[0].number} - ${values[values.length - 1].number}`;
}
