// What is said of an application in one line. Both lists are expected to have something in them.
function latest(comments) {
  const last = comments[comments.length - 1];
  return `${last.author}: ${last.text}`;
}

function range(values) {
  return `${values[0].number} - ${values[values.length - 1].number}`;
}
