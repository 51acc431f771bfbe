// Answers the cases on standard input with the page's functions, for the server's test to compare.

import { text } from 'node:stream/consumers';
import { compose } from '../../page/delta.js';
import { caretBehind } from '../../page/ranges.js';
import { EARLIER, LATER, moved, transform } from '../../page/transform.js';

const cases = JSON.parse(await text(process.stdin));
const answers = cases.map(({ document, first, second, position }) => ({
  composed: compose(document, first),
  earlier: transform(second, first, EARLIER),
  later: transform(second, first, LATER),
  wrong: transform(second, first, LATER, { losesFormatting: true }),
  moved: moved(position, first, false),
  stuck: moved(position, first, true),
  caret: caretBehind(first)?.head ?? null,
}));
process.stdout.write(JSON.stringify(answers));
