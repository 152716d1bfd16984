import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { hashOf, HoptrailError, jsonLines, readJsonLines } from '#base';
import { type Passage, passageEmbeddingText } from '#search/lab';

/** A data file that cannot be read as questions. */
export class DatasetError extends HoptrailError {
  readonly code = 'dataset';
}

/** Where the public sets come from. Hoptrail ships none of them: their files are made as lab/EXPERIMENTS.md says. */
const PUBLIC_SETS: Readonly<Record<string, string>> = {
  musique: 'https://github.com/StonyBrookNLP/musique',
  hotpotqa: 'https://hotpotqa.github.io',
  '2wikimultihopqa': 'https://github.com/Alab-NII/2wikimultihop',
  'multihop-rag': 'https://github.com/yixuantt/MultiHop-RAG',
  flask: 'https://github.com/peng-weihan/SWE-QA-Bench',
  requests: 'https://github.com/peng-weihan/SWE-QA-Bench',
};

/** What to do about a file of questions that is not there. */
function adviceAbout(file: string): string {
  const from = PUBLIC_SETS[path.basename(file).split('.')[0] ?? ''];
  const shapes = 'Name a file with one JSON object a line; lab/EXPERIMENTS.md has the shapes.';
  return from === undefined || existsSync(file) ? shapes : `This set comes from ${from}. ${shapes}`;
}

/** @throws DatasetError that says how to name the folder of the sets, and where each comes from, where it is missing */
export function requireData(folder: string): void {
  if (existsSync(folder)) return;
  const sets = Object.entries(PUBLIC_SETS).map(([name, from]) => `  ${name}.jsonl  ${from}`);
  throw new DatasetError(
    `There is no data folder at ${folder}. Name one with --data or HOPTRAIL_DATA. The sets come ` +
      `from\n${sets.join('\n')}\nand lab/EXPERIMENTS.md has the shape of their lines.`,
  );
}

const passageShape = z.object({ id: z.string(), title: z.string(), text: z.string() });

const place = z.object({ path: z.string(), start: z.number().int(), end: z.number().int() });
/** Lines of a file that hold evidence, 1-based and inclusive; `instead`: other places that say the same. */
const goldRange = place.extend({ instead: z.array(place).optional() });
export type GoldRange = z.infer<typeof goldRange>;
/** Evidence with its lines, or with a quote alone. */
const evidence = z.object({ path: z.string(), start: z.number().int().optional(), end: z.number().int().optional() });

const questionShape = z.object({
  id: z.string().optional(),
  dataset: z.string().optional(),
  question: z.string(),
  answer: z
    .string()
    .nullable()
    .transform((answer) => answer ?? ''),
  aliases: z.array(z.string()).default([]),
  type: z.string().default('inference'),
  hops: z.number().int().nonnegative().optional(),
  passages: z.array(passageShape).default([]),
  supporting: z.array(z.string()).default([]),
  decomposition: z.array(z.object({ question: z.string(), answer: z.string() })).optional(),
  /** Files that hold the evidence; default: those of `lines`. */
  files: z.array(z.string()).optional(),
  /** Default: the lines of `evidence`. */
  lines: z.array(goldRange).optional(),
  evidence: z.array(evidence).optional(),
  /** Folder below `--trees` that the question is about; `folder` and `workspace` are other names for it. */
  tree: z.string().optional(),
  folder: z.string().optional(),
  workspace: z.string().optional(),
  /** Items of an answer that is a list, each by one name or by several. */
  items: z.array(z.union([z.string(), z.array(z.string())])).optional(),
});

export type DatasetPassage = z.infer<typeof passageShape>;
/** One question of an evaluation set; `files` only where the corpus is a folder. */
export type DatasetQuestion = z.infer<typeof questionShape> & { id: string };

function withPlaces(question: z.infer<typeof questionShape>): z.infer<typeof questionShape> {
  const ranges = question.lines ?? question.evidence?.flatMap((one) => goldRange.safeParse(one).data ?? []);
  const lines = ranges && ranges.length > 0 ? ranges : undefined;
  const named = question.files ?? lines?.map(({ path: file }) => file);
  return {
    ...question,
    ...(lines && { lines }),
    ...(named && { files: [...new Set(named)] }),
    tree: question.tree ?? question.folder ?? question.workspace,
  };
}

/** Questions of a JSON-lines file, in file order. @throws DatasetError naming the line that does not fit. */
export function loadQuestions(file: string): DatasetQuestion[] {
  return readLines(file, questionShape).map((question, i) => ({
    ...withPlaces(question),
    id: question.id ?? `q${i + 1}`,
  }));
}

/** Every distinct passage of the questions and of an extra corpus file. */
export function collectPassages(questions: readonly DatasetQuestion[], corpusFile?: string): DatasetPassage[] {
  const byId = new Map<string, DatasetPassage>();
  for (const passage of [
    ...questions.flatMap((question) => question.passages),
    ...(corpusFile ? readLines(corpusFile, passageShape) : []),
  ])
    byId.set(passage.id, passage);
  return [...byId.values()];
}

/** Data set passages as index rows: one small note each, named after its title, ids kept. */
export function toIndexPassages(passages: readonly DatasetPassage[]): Passage[] {
  const taken = new Map<string, number>();
  return passages.map(({ id, title, text }) => {
    const name = title.replace(/[/\\\s]+/g, ' ').trim() || 'untitled';
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    const shown = `${count === 1 ? name : `${name} (${count})`}.md`;
    const passage: Passage = {
      id,
      uri: `dataset:/${encodeURIComponent(shown)}`,
      path: shown,
      startLine: 1,
      endLine: text.split('\n').length,
      kind: 'paragraph',
      language: 'markdown',
      title,
      text,
      contentHash: '',
      links: [],
    };
    return {
      ...passage,
      contentHash: hashOf(passageEmbeddingText(passage), 32),
    };
  });
}

/** What stands in a file of JSON lines. @throws DatasetError naming the line that does not fit. */
export function readLines<T extends z.ZodType>(file: string, shape: T): z.output<T>[] {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new DatasetError(`The data file ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
      advice: adviceAbout(file),
    });
  }
  const { values, damaged } = readJsonLines(content, shape);
  if (damaged[0]) {
    const { line, problem } = damaged[0];
    const why = problem instanceof z.ZodError ? z.prettifyError(problem) : problem.message;
    throw new DatasetError(`Line ${line} of ${file} does not fit: ${why}`, {
      cause: problem,
      advice: 'lab/EXPERIMENTS.md has the shapes.',
    });
  }
  return values;
}

/**
 * What stands in a log that a program goes on from, nothing where there is none. A last line that was cut off while it
 * was written is left out: what it was about is asked again. @throws DatasetError naming another that does not fit.
 * @param what What a line should be, for that error.
 */
export function readLog<T extends z.ZodType>(
  file: string,
  shape: T,
  what: { is: string; from: string },
): z.output<T>[] {
  if (!existsSync(file)) return [];
  const { values, damaged } = readJsonLines(readFileSync(file, 'utf8'), shape);
  const wrong = damaged.find(({ isOpen }) => !isOpen);
  if (wrong)
    throw new DatasetError(`Line ${wrong.line} of ${file} is no ${what.is}.`, {
      cause: wrong.problem,
      advice: `Name a file written by \`${what.from}\`, or a new one.`,
    });
  return values;
}

/** Takes a last line that was cut off out of a log: the next one would stand on it. @param whole What else it holds. */
export function mendLog(file: string, whole: readonly unknown[]): void {
  if (existsSync(file) && !/(?:^|\n)$/u.test(readFileSync(file, 'utf8'))) writeFileSync(file, jsonLines(whole));
}
