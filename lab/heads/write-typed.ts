import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { jsonLines, seededRandom, shuffled } from '#base';
import { PREDICTED_TYPES } from '#research/lab';
import { questionsDir, root } from '../places.ts';
import { folderQuestions, workspaceQuestions } from './classifier-data.ts';

/**
 * `node --import tsx lab/heads/write-typed.ts --out F.jsonl`: questions of known types that no classifier was trained
 * on or shown as an example, for `eval classify`: those about folders that stand aside, those in other words than the
 * folders', and those about the example workspaces. As many of each type as there are, up to an equal share; what rare
 * types leave free goes to the others. The same seed gives the same file.
 */
const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    questions: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.out === undefined) throw new Error('Where to? --out F.jsonl');

const random = seededRandom(Number(values.seed));
const all = [
  ...folderQuestions(join(questionsDir, 'aside')),
  ...folderQuestions(join(questionsDir, 'later')),
  ...workspaceQuestions(join(root, 'examples/questions.jsonl')),
];
const rarestFirst = PREDICTED_TYPES.map((type) =>
  shuffled(
    all.filter((question) => question.type === type),
    random,
  ),
).sort((a, b) => a.length - b.length);

let free = Number(values.questions);
const taken = rarestFirst.flatMap((questions, i) => {
  const some = questions.slice(0, Math.ceil(free / (rarestFirst.length - i)));
  free -= some.length;
  return some;
});
writeFileSync(
  values.out,
  jsonLines(
    taken.map(({ question, type, source }, i) => ({
      id: `typed-${i + 1}`,
      dataset: source,
      question,
      answer: '',
      type,
    })),
  ),
);
console.log(
  PREDICTED_TYPES.map((type) => `${type} ${taken.filter((question) => question.type === type).length}`).join(', '),
);
