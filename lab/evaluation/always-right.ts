/**
 * How often a right answer is refused: a model that knows every answer is asked questions about files, and states the
 * answer with the passages that say it, as far as it is shown any. A refusal is then the product's own.
 *
 *     npm run build && node --import tsx lab/evaluation/always-right.ts --data FOLDER
 *
 * FOLDER holds sets: questions in NAME.jsonl, with their evidence, about the files in the folder NAME beside it. One
 * look (`single-step`) a question, without a critique. Prints shares, of each set and of all, with Wilson's interval
 * (1927).
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { withEngine } from '#cli/lab';
import type { Answer, ChatMessage, LanguageModel } from '#research';
import { type DatasetQuestion, loadQuestions, readLines } from './dataset.ts';
import { isUnanswerable, says } from './score-answer.ts';
import { wilsonInterval } from '../statistics.ts';

const { values } = parseArgs({ options: { data: { type: 'string', default: '.' } } });

const evidenceShape = z.object({ id: z.string(), evidence: z.array(z.object({ quote: z.string() })).default([]) });
const PASSAGE = /<passage number="(\d+)"[^\n]*>\n([\s\S]*?)\n<\/passage>/gu;

/** Answers what it was told last, whatever it is asked. */
class AlwaysRight implements LanguageModel {
  readonly id = 'lab:always-right';
  readonly name = 'Always right';
  readonly contextTokens = 8192;
  /** Whether it was shown a passage that says the answer, and all of its evidence. */
  wasShown = { answer: false, evidence: false };
  #answer = '';
  #names: readonly string[] = [];
  #quotes: readonly string[] = [];

  know({ answer, aliases }: DatasetQuestion, quotes: readonly string[]): void {
    this.wasShown = { answer: false, evidence: false };
    this.#answer = answer;
    this.#names = [answer, ...aliases];
    this.#quotes = quotes;
  }

  async *stream(messages: readonly ChatMessage[]) {
    const shown = [...(messages.at(-1)?.content ?? '').matchAll(PASSAGE)];
    const saying = (parts: readonly string[]) =>
      shown.filter(([, , text = '']) => parts.some((part) => says(text, part)));
    const naming = saying(this.#names);
    const holding = naming.length > 0 ? naming : saying(this.#quotes);
    this.wasShown.answer ||= naming.length > 0;
    this.wasShown.evidence ||= this.#quotes.length > 0 && this.#quotes.every((quote) => saying([quote]).length > 0);
    const marks = holding.map(([, number]) => `[${number}]`).join('');
    yield { type: 'text' as const, text: `Because: ${this.#answer} ${marks}\nAnswer: ${this.#answer}` };
    yield { type: 'usage' as const, usage: { inputTokens: 0, outputTokens: 0, estimated: true } };
  }

  countTokens(text: string): Promise<number> {
    return Promise.resolve(Math.ceil(text.length / 4));
  }
}

const model = new AlwaysRight();
const told: { set: string; refused: boolean; quoted: boolean; answer: boolean; evidence: boolean }[] = [];

async function askSet(file: string): Promise<void> {
  const quotes = new Map(readLines(file, evidenceShape).map(({ id, evidence }) => [id, evidence.map((e) => e.quote)]));
  const { signal } = new AbortController();
  const folder = path.join(values.data, path.parse(file).name);
  await withEngine(folder, { learn: false, index: `${folder}.index` }, signal, async ({ engine, update }) => {
    await update({}, signal);
    for (const question of loadQuestions(file).filter((one) => !isUnanswerable(one))) {
      model.know(question, quotes.get(question.id) ?? []);
      const options = { operator: 'single-step' as const, critique: false, record: false };
      let answer: Answer | undefined;
      const asked = { text: question.question, history: [] };
      for await (const event of engine.research(asked, options, signal, { model }))
        if (event.type === 'answer-end') answer = event.answer;
      const refused = answer?.abstained !== false;
      told.push({
        set: path.parse(file).name,
        refused,
        quoted: !refused && answer?.by === 'extractive',
        ...model.wasShown,
      });
      if (!refused) continue;
      const { answer: isSaid, evidence } = model.wasShown;
      const shown = evidence ? 'all evidence shown' : isSaid ? 'answer shown' : 'not shown';
      console.log(`${shown}: ${question.question} (${question.answer}) ${answer?.abstainReason ?? ''}`);
    }
  });
}

const share = (title: string, among: typeof told, counts: (one: (typeof told)[number]) => boolean): void => {
  const some = among.filter(counts).length;
  const [low, high] = wilsonInterval(some, among.length).map((end) => end.toFixed(3));
  console.log(
    `${title}: ${some} of ${among.length}, ${(some / Math.max(1, among.length)).toFixed(3)} [${low}, ${high}]`,
  );
};

for (const name of readdirSync(values.data).filter((each) => each.endsWith('.jsonl')))
  await askSet(path.resolve(values.data, name));
const isRefused = ({ refused }: (typeof told)[number]): boolean => refused;
const sets = [...new Set(told.map(({ set }) => set))];
for (const set of [...sets, 'all']) {
  const among = told.filter((one) => set === 'all' || one.set === set);
  share(`${set}: refused`, among, isRefused);
  const shownAnswer = among.filter(({ answer }) => answer);
  const shownEvidence = among.filter(({ evidence }) => evidence);
  share(`${set}: refused though a passage with the answer was shown`, shownAnswer, isRefused);
  share(`${set}: refused though all of its evidence was shown`, shownEvidence, isRefused);
  share(`${set}: the reader's quotes in its place`, among, ({ quoted }) => quoted);
}
