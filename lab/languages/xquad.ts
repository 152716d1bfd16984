import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { jsonLines } from '#base';

/**
 * XQuAD (Artetxe et al. 2020, arXiv 1910.11856, §3: 240 paragraphs and 1,190 questions of SQuAD, translated by people)
 * as a question file and a corpus for `hoptrail eval`: questions of one language over paragraphs of another or the
 * same.
 *
 *     node --import tsx lab/languages/xquad.ts --from FOLDER --questions zh --paragraphs en --to OUT
 *
 * FOLDER holds `xquad.LANGUAGE.json` of github.com/google-deepmind/xquad (CC BY-SA 4.0), or files of the same shape:
 * Japanese from `jsquad-v1.3/valid` of github.com/yahoojapan/JGLUE, Korean from the development set of KorQuAD 1.0.
 * `--held-out` takes the questions about every second article: the others were looked at while words were chosen.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    questions: { type: 'string', default: 'de' },
    paragraphs: { type: 'string' },
    to: { type: 'string', default: '.' },
    'held-out': { type: 'boolean', default: false },
  },
});

const shape = z.object({
  data: z.array(
    z.object({
      title: z.string(),
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(
            z.object({ id: z.string(), question: z.string(), answers: z.array(z.object({ text: z.string() })) }),
          ),
        }),
      ),
    }),
  ),
});

const read = (language: string): z.infer<typeof shape> =>
  shape.parse(JSON.parse(readFileSync(path.join(values.from ?? '.', `xquad.${language}.json`), 'utf8')));
const asked = read(values.questions);
const paragraphs = values.paragraphs ?? values.questions;
const shown = read(paragraphs);

const questions: object[] = [];
const corpus: object[] = [];
shown.data.forEach((article, a) => {
  article.paragraphs.forEach(({ context, qas }, p) => {
    const id = `${article.title}-${p}`;
    const name = article.title.replaceAll('_', ' ');
    corpus.push({ id, title: name, text: context.replace(`${name} [SEP] `, '') });
    if (values['held-out'] && a % 2 === 0) return;
    qas.forEach(({ id: question, answers }, q) => {
      const text = asked.data[a]?.paragraphs[p]?.qas[q]?.question;
      const [answer] = answers;
      if (text !== undefined && answer)
        questions.push({
          id: question,
          question: text,
          answer: answer.text,
          type: 'lookup',
          hops: 1,
          supporting: [id],
        });
    });
  });
});
const name = path.join(values.to, `xquad-${values.questions}-${paragraphs}`);
writeFileSync(`${name}.jsonl`, jsonLines(questions));
writeFileSync(`${name}.corpus.jsonl`, jsonLines(corpus));
process.stdout.write(
  `${name}.jsonl: ${questions.length} questions; ${name}.corpus.jsonl: ${corpus.length} paragraphs\n`,
);
