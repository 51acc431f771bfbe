// What the checks of Colobus demand beyond users who show the same.

const users = (stage) => Object.values(stage.clients);
const textOf = (page) => ask(page, "visibleText", undefined, application.ignored);

/** The document of a page as passages of text, or else the text that it shows. */
async function documentOf(page) {
  return application.state ? passagesOf(await page.evaluate(`{ ${application.state}\n}`)) : textOf(page);
}

/** Strings are passages. Of a list of objects, equal fields of neighbours are one passage: formatting does not cut a word. */
function passagesOf(value) {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return value && typeof value === "object" ? Object.values(value).flatMap(passagesOf) : [];
  const passages = [];
  const joined = new Map();
  for (const item of value) {
    if (item === null || typeof item !== "object" || Array.isArray(item)) {
      passages.push(...joined.values(), ...passagesOf(item));
      joined.clear();
      continue;
    }
    for (const [key, inner] of Object.entries(item)) {
      if (typeof inner === "string") joined.set(key, (joined.get(key) ?? "") + inner);
      else passages.push(...passagesOf(inner));
    }
  }
  return [...passages, ...joined.values()];
}

const counted = (passages, words) =>
  Object.fromEntries(words.map((word) => [word, passages.reduce((sum, text) => sum + text.split(word).length - 1, 0)]));

/** For every user, how often each word stands in the document. */
async function wordCounts(stage, words) {
  const documents = await Promise.all(users(stage).map(({ page }) => documentOf(page)));
  return documents.map((passages) => counted(passages, words));
}

/**
 * For every user, how often each word stands in the document, by the name of its author. A word that the server refused counts as
 * there, if its author reads something that no other user does.
 */
async function keptCounts(stage, authors) {
  const words = Object.keys(authors);
  const counts = await wordCounts(stage, words);
  const read = await Promise.all(users(stage).map(({ page }) => ask(page, "visibleText", undefined, [])));
  const saysSomething = (passage) => /\p{L}/u.test(words.reduce((text, word) => text.replaceAll(word, ""), passage));
  const isTold = (author) => {
    const others = read.filter((_, index) => index !== author).flat();
    return read[author].some((passage) => saysSomething(passage) && !others.includes(passage));
  };
  const isRefused = (name) => {
    const author = users(stage).findIndex((user) => user.name === name);
    return author >= 0 && users(stage)[author].refused && isTold(author);
  };
  const refused = words.filter((word) => isRefused(authors[word]));
  return counts.map((counted) => ({ ...counted, ...Object.fromEntries(refused.map((word) => [word, counted[word] || 1])) }));
}

/** For every user, how often each word is shown. */
async function shownCounts(stage, words) {
  const texts = await Promise.all(users(stage).map(({ page }) => textOf(page)));
  return texts.map((passages) => counted(passages, words));
}

/** The document of the first user, and that of a client that opens it now. */
async function lookAfterwards(stage) {
  const lateJoiner = new Client(stage, "a late joiner", users(stage).length);
  await lateJoiner.open(stage.browser);
  await stage.settled();
  await lateJoiner.drained();
  const documents = await Promise.all([users(stage)[0].page, lateJoiner.page].map(documentOf));
  await lateJoiner.page.context().close();
  return documents;
}

/** What everybody has, as passages, once nothing moves any more. */
async function documents(stage) {
  await stage.settled();
  return Promise.all(users(stage).map(({ page }) => documentOf(page)));
}

/** The letters of everybody's document, wherever they stand. */
const letters = (all) => all.map((passages) => [...passages.join("")].sort().join(""));

/** The names of the invariants that do not hold for every client. */
async function brokenInvariants(stage) {
  const holds = (page, js) => page.evaluate(`{ ${js}\n}`).then(Boolean, () => false);
  const broken = users(stage).flatMap(({ name, page }) =>
    application.invariants.map(async (invariant) => ((await holds(page, invariant.js)) ? [] : [`${name}: ${invariant.name}`])),
  );
  return (await Promise.all(broken)).flat();
}

/** Carets of others that are shown where none of them has one. */
async function misplacedCarets(stage) {
  const { remoteCarets, focus } = application;
  const read = async ({ name, page }) =>
    typeof remoteCarets === "string"
      ? { name, ...(await ask(page, "carets", undefined, remoteCarets, focus)) }
      : { name, own: await page.evaluate(`{ ${remoteCarets.own}\n}`), shown: await page.evaluate(`{ ${remoteCarets.shown}\n}`) };
  const all = await Promise.all(users(stage).map(read));
  const same = (own, shown) =>
    typeof remoteCarets === "string"
      ? Math.abs(own.x - shown.x) <= 2.5 && shown.top < own.bottom && own.top < shown.bottom
      : JSON.stringify(own) === JSON.stringify(shown);
  return all.flatMap(({ name, shown }) => {
    const owners = all.filter((other) => other.name !== name).map(({ own }) => own);
    if (owners.includes(null)) return [];
    return shown.filter((caret) => {
      const owner = owners.findIndex((own) => same(own, caret));
      if (owner >= 0) owners.splice(owner, 1);
      return owner < 0;
    });
  });
}

/** Whether a client that showed `before` and shows `now` has a part of the answer, and not all of its question. */
function answeredTooEarly(before, now, { question, answer }) {
  const times = (text, letter) => [...text].filter((other) => other === letter).length;
  const isNew = (letter) => times(now.join(""), letter) - times(before.join(""), letter);
  const letters = (text) => [...text].filter((letter) => letter.trim());
  const isWhole = letters(question).every((letter) => isNew(letter) >= times(question, letter));
  return letters(answer).some((letter) => isNew(letter) > 0) && !isWhole;
}
