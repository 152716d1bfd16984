import { z } from 'zod';
import {
  embedSentences,
  type Embedder,
  type IndexedPassage,
  nameForm,
  type PassageIndex,
  type PassageProfile,
  type PassageProfiles,
  analyseQuestion,
  type AnalysedQuestion,
  type ReadSentence,
  sentencesOf,
} from '#search/lab';
import { loadQuestions, readLines } from '../evaluation/dataset.ts';
import { says, wordsOf } from '../evaluation/score-answer.ts';
import { indexOf } from './question-sets.ts';

/** Passages that are read beside the chain, as the product reads them. */
export const MOST_READ = 12;

/** What a question's retrieval found, taken apart to units, with those that are its evidence. */
export interface UnitCase {
  id: string;
  /** The corpus: cases of one are kept aside together. */
  set: string;
  profile: AnalysedQuestion;
  passages: PassageProfile[];
  chain: number;
  units: ReadSentence[];
  /** 1 for what is evidence. */
  labels: number[];
  /** Whether a name or identifier that no file has refuses it. */
  decides: boolean;
  /** Whether what was found can carry an answer; undefined teaches nothing about refusing. */
  answerable: boolean | undefined;
  /** True when a text shows the answer; undefined for a question without one. */
  shows?: (text: string) => boolean;
  /** True when a short text is the answer, and hardly more. */
  is?: (text: string) => boolean;
}

export interface CasePorts {
  embedder: Embedder;
  profiles: PassageProfiles;
  index: PassageIndex;
  /** Reads the units, too; left out: they are chosen without it. */
  encode?: (question: AnalysedQuestion, units: readonly ReadSentence[]) => Promise<ReadSentence[]>;
  /** So many passages are read; left out: as the product does. */
  found?: number;
  /** Ids of the best chain's passages, and of the hits. */
  search(question: string): Promise<FoundIds>;
}

export interface FoundIds {
  chain: string[];
  hits: string[];
  /** Whether a name or identifier that no file has refuses the question. */
  decides: boolean;
}

const place = z.union([
  z.object({ path: z.string(), start: z.number().int(), end: z.number().int() }),
  z.object({ path: z.string(), quote: z.string() }),
]);

/** Where an answer stands: lines of a file, or words that stand there once. */
export type FolderPlace = z.infer<typeof place>;

const folderQuestion = z.looseObject({
  id: z.string(),
  /** What the folder holds. */
  dataset: z.enum(['notes', 'code']),
  question: z.string(),
  answer: z.string().nullable(),
  aliases: z.array(z.string()).default([]),
  type: z.string(),
  items: z
    .array(z.union([z.string(), z.array(z.string())]))
    .min(1)
    .optional(),
  evidence: z.array(place),
  /** Further places that say the same. */
  also: z.array(place).default([]),
});
/** A question about a folder, with the lines that answer it; of type `null` where nothing there does. */
export type FolderQuestion = z.infer<typeof folderQuestion>;

export const readFolderQuestions = (file: string): FolderQuestion[] => readLines(file, folderQuestion);

/**
 * Questions about a folder. Of a question whose evidence was not found at all nothing is learnt about refusing: it is
 * neither there nor known to be missing.
 */
export async function folderCases(
  questions: readonly FolderQuestion[],
  set: string,
  ports: CasePorts,
): Promise<UnitCase[]> {
  const cases: UnitCase[] = [];
  for (const asked of questions) {
    const found = await findUnits(asked.question, ports);
    const labels = evidenceLabels(found.units, asked);
    cases.push({
      ...found,
      id: asked.id,
      set,
      labels,
      answerable: asked.type === 'null' ? false : labels.includes(1) ? true : undefined,
      ...(asked.type !== 'null' && {
        shows: (text: string) => showsAnswer(text, asked),
        is: (text: string) => isAnswer(text, asked),
      }),
    });
  }
  return cases;
}

/** Questions asked of a folder that they are not about: whatever is found, nothing answers them. */
export async function elsewhereCases(questions: readonly string[], set: string, ports: CasePorts): Promise<UnitCase[]> {
  const cases: UnitCase[] = [];
  for (const [i, question] of questions.entries()) {
    const found = await findUnits(question, ports);
    cases.push({ ...found, id: `${set}-elsewhere-${i}`, set, labels: found.units.map(() => 0), answerable: false });
  }
  return cases;
}

async function findUnits(
  question: string,
  ports: CasePorts,
): Promise<Pick<UnitCase, 'profile' | 'passages' | 'chain' | 'units' | 'decides'>> {
  const { chain, hits, decides } = await ports.search(question);
  const ids = [...new Set([...chain, ...hits])].slice(0, ports.found ?? MOST_READ);
  return { ...(await readUnits(question, ids, ports, chain.length)), decides };
}

/** Passages taken apart to units, the first ones of a chain; left out: all. */
async function readUnits(
  question: string,
  ids: readonly string[],
  { embedder, profiles, index, encode }: Pick<CasePorts, 'embedder' | 'profiles' | 'index' | 'encode'>,
  inChain?: number,
): Promise<Pick<UnitCase, 'profile' | 'passages' | 'chain' | 'units'>> {
  const passages = (await index.get(ids)).map((passage) => profiles.of(passage));
  const chain = inChain ?? passages.length;
  const profile = await analyseQuestion(question, index, embedder);
  const embedded = await embedSentences(profile, sentencesOf(passages), embedder);
  const units = encode ? await encode(profile, embedded) : embedded;
  return { profile, passages, chain, units };
}

/**
 * 1 for what stands in a place of evidence. A paragraph is one line of many sentences: where some of a place say the
 * answer, only those count.
 */
function evidenceLabels(units: readonly ReadSentence[], asked: FolderQuestion): number[] {
  const labels = units.map(() => 0);
  for (const where of [...asked.evidence, ...asked.also]) {
    const inside = [...units.keys()].filter((i) => standsIn(units[i] as ReadSentence, where));
    const saying = inside.filter((i) => showsPart(units[i]?.text ?? '', asked));
    for (const i of saying.length > 0 ? saying : inside) labels[i] = 1;
  }
  return labels;
}

/** Whether a unit stands in a place, or most of one of the place's lines in it. */
function standsIn({ profile, sentence }: ReadSentence, where: FolderPlace): boolean {
  const { passage } = profile;
  if (passage.path !== where.path) return false;
  if ('start' in where) {
    const first = passage.startLine + lineBreaks(passage.text.slice(0, sentence.start));
    const last = first + lineBreaks(passage.text.slice(sentence.start, sentence.end).trimEnd());
    return first <= where.end && last >= where.start;
  }
  return where.quote.split('\n').some((line) => {
    const wanted = line.trim();
    if (wanted.length < 4) return false;
    for (let at = passage.text.indexOf(wanted); at >= 0; at = passage.text.indexOf(wanted, at + 1)) {
      const shared = Math.min(at + wanted.length, sentence.end) - Math.max(at, sentence.start);
      if (shared > 0 && shared >= Math.min(wanted.length, sentence.end - sentence.start) / 2) return true;
    }
    return false;
  });
}

/** Whether a passage holds a line of a place. */
export function touches({ path, startLine, endLine, text }: IndexedPassage, where: FolderPlace): boolean {
  if (path !== where.path) return false;
  if ('start' in where) return startLine <= where.end && endLine >= where.start;
  return where.quote.split('\n').some((line) => line.trim().length >= 4 && text.includes(line.trim()));
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;

/** Whether a text shows the answer, of a list all of it. */
function showsAnswer(text: string, { answer, aliases, items }: FolderQuestion): boolean {
  return (
    [answer ?? '', ...aliases].some((one) => says(text, one)) ||
    (items?.every((item) => [item].flat().some((one) => says(text, one))) ?? false)
  );
}

/** Words that an answer may have beyond those that are known to be enough. */
const FURTHER_WORDS = 3;

/** Whether a text is the answer, with few words beside it, or the most of one of its spellings. */
function isAnswer(text: string, asked: FolderQuestion): boolean {
  const words = wordsOf(text).length;
  return [asked.answer ?? '', ...asked.aliases].some((one) => {
    const known = wordsOf(one).length;
    if (says(text, one)) return words <= known + FURTHER_WORDS;
    return says(one, text) && words >= known / 2;
  });
}

/** Whether a text shows the answer, or an entry of the list that is asked for. */
export const showsPart = (text: string, asked: FolderQuestion): boolean =>
  showsAnswer(text, asked) || (asked.items?.flat().some((one) => says(text, one)) ?? false);

/** Places of the answer's words, or of those of a list's entries, inside a stretch of a text; as in a span's labels. */
export function occurrencesOf(
  text: string,
  { start, end }: { start: number; end: number },
  { answer, aliases, items }: FolderQuestion,
): { part: 0; start: number; end: number; header: false }[] {
  const wanted = [answer ?? '', ...aliases, ...(items?.flat() ?? [])];
  return wanted.flatMap((each) => {
    const words = each.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
    if (words.length === 0) return [];
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join('[^\\p{L}\\p{N}]+')}(?![\\p{L}\\p{N}])`, 'giu');
    return [...text.slice(start, end).matchAll(pattern)].map(({ index, 0: said }) => ({
      part: 0 as const,
      start: start + index,
      end: start + index + said.length,
      header: false as const,
    }));
  });
}

/**
 * Questions about Wikipedia with their gold passages as the chain. Their sets name passages and no sentences: one is
 * evidence when it says the answer or names another gold passage.
 */
export async function proseCases(
  file: string,
  set: string,
  most: number,
  ports: Pick<CasePorts, 'embedder' | 'profiles' | 'encode'>,
): Promise<UnitCase[]> {
  const questions = loadQuestions(file).slice(0, most);
  const gold = questions.flatMap(({ passages, supporting }) => passages.filter(({ id }) => supporting.includes(id)));
  const index = await indexOf([...new Map(gold.map((passage) => [passage.id, passage])).values()], ports.embedder);
  const cases: UnitCase[] = [];
  for (const { id, question, answer, supporting } of questions) {
    const read = await readUnits(question, supporting, { ...ports, index });
    const said = ` ${nameForm(answer)} `;
    const labels = read.units.map(({ sentence, profile: own }) =>
      Number(
        (!/^(?:yes|no)$/i.test(answer) && sentence.form.includes(said)) ||
          read.passages.some(
            (other) => other !== own && other.titles.some((title) => sentence.form.includes(` ${title} `)),
          ),
      ),
    );
    cases.push({
      ...read,
      id,
      set,
      decides: false,
      labels,
      answerable: true,
      shows: (text) => says(text, answer),
    });
  }
  return cases;
}
