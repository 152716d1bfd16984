import { baseName, lowerFirst, stemOf } from '#base';
import {
  documentTitle,
  type IndexService,
  isProseLanguage,
  lastTitle,
  type Passage,
  type PassageLink,
  titleParts,
} from '#search';
import type { Answer, Citation } from '../domain/answer.ts';
import type { ResearchEvent } from '../domain/research-event.ts';

/** Files looked at: enough for variety, few enough to answer at once. */
const SAMPLE = 60;
const MOST_SUGGESTED = 6;
/** Characters of a name in a question that is read at a glance. */
const LONGEST_NAME = 50;

/** A question, and the files that it is about. */
interface AboutFiles {
  question: string;
  paths: string[];
}

/** Questions that may be suggested, the ones to try first first. */
interface SuggestedQuestions {
  questions: AboutFiles[];
  /** Whether any file that was looked at links to another one. */
  linked: boolean;
}

/**
 * Up to six questions made from the workspace's own titles and links: over two linked files, about a symbol, about a
 * part of a document. Without a language model; the same index gives the same questions. Whether they have an answer is
 * for {@link provenQuestions} to find out.
 *
 * In English, whatever the interface speaks: of the ten that the two examples give, seven are proven in English, and
 * four to six when put into German, Spanish, French, Japanese or Chinese, with a page's date or a table of contents as
 * their answer. “What calls …?” is read as a question for references in English alone.
 */
export async function suggestQuestions(
  index: Pick<IndexService, 'report' | 'passagesOf'>,
): Promise<SuggestedQuestions> {
  const { files } = await index.report();
  const prose = spread(
    files.filter((file) => isProseLanguage(file.language)),
    SAMPLE,
  );
  const code = spread(
    files.filter((file) => !isProseLanguage(file.language) && file.language !== 'json'),
    SAMPLE,
  );
  const found: AboutFiles[] = [];
  const add = (asked: AboutFiles | undefined): void => {
    if (asked && !found.some(({ question }) => question === asked.question)) found.push(asked);
  };
  let connections = 0;
  const connection = async (passages: readonly Passage[]): Promise<AboutFiles | undefined> => {
    const asked = await connectionQuestion(passages, async (path) => (await index.passagesOf(path))[0]);
    if (asked) connections += 1;
    return asked;
  };
  const backwards = spread([...prose].reverse(), SAMPLE);
  const fromTheMiddle = [...prose.slice(prose.length >> 1), ...prose.slice(0, prose.length >> 1)];
  add(await firstQuestion(index, prose, connection));
  add(await firstQuestion(index, code, symbolQuestion));
  add(await firstQuestion(index, backwards, sectionQuestion));
  add(await firstQuestion(index, code, connection));
  add(await firstQuestion(index, backwards, connection));
  add(await firstQuestion(index, fromTheMiddle, connection));
  return { questions: found.slice(0, MOST_SUGGESTED), linked: connections > 0 };
}

type MakeQuestion = (passages: readonly Passage[]) => Promise<AboutFiles | undefined> | AboutFiles | undefined;

async function firstQuestion(
  index: Pick<IndexService, 'passagesOf'>,
  files: readonly { path: string }[],
  make: MakeQuestion,
): Promise<AboutFiles | undefined> {
  for (const file of files) {
    const asked = await make(await index.passagesOf(file.path));
    if (asked) return asked;
  }
  return undefined;
}

/** What a file says of the one that it links to, both called as they call themselves. */
async function connectionQuestion(
  passages: readonly Passage[],
  firstOf: (path: string) => Promise<Passage | undefined>,
): Promise<AboutFiles | undefined> {
  for (const passage of passages) {
    const link = passage.links.find((candidate) => isCrossFile(candidate, passage));
    if (!link?.path) continue;
    const paths = [passage.path, link.path];
    if (link.kind === 'import')
      return { question: `What does ${baseName(passage.path)} use ${baseName(link.path)} for?`, paths };
    const linked = await firstOf(link.path);
    const from = spoken(titleOf(passage));
    const to = spoken(linked ? titleOf(linked) : stemOf(link.path));
    if ([from, to].every((name) => name !== '' && name.length <= LONGEST_NAME) && from !== to)
      return { question: `What does “${from}” say about “${to}”?`, paths };
  }
  return undefined;
}

function symbolQuestion(passages: readonly Passage[]): AboutFiles | undefined {
  const symbols = passages.filter(
    (passage) => passage.kind === 'function' && passage.links.some((link) => link.kind === 'call'),
  );
  const [most] = symbols.sort((a, b) => b.links.length - a.links.length);
  const name = most && lastTitle(most.title);
  return name ? { question: `What calls ${name}?`, paths: [most.path] } : undefined;
}

function sectionQuestion(passages: readonly Passage[]): AboutFiles | undefined {
  const section = passages.find(
    (passage) => passage.kind === 'section' && titleParts(passage.title).length > 1 && passage.text.length > 200,
  );
  if (!section) return undefined;
  const parts = titleParts(section.title);
  // Where several small parts make up a passage, its title lists them.
  const [part = ''] = (parts.at(-1) ?? '').split(', ');
  return { question: `What does “${spoken(parts[0] ?? '')}” say about ${lowerFirst(part)}?`, paths: [section.path] };
}

const isCrossFile = (link: PassageLink, passage: Passage): boolean =>
  (link.kind === 'wikilink' || link.kind === 'markdown' || link.kind === 'import') &&
  link.path !== undefined &&
  link.path !== passage.path;

const titleOf = (passage: Passage): string => documentTitle(passage.title) || stemOf(passage.path);
/** A name as people say it: `0007-satellite-trial` is the satellite trial. */
function spoken(name: string): string {
  const words = name.replaceAll('-', ' ').replaceAll('_', ' ').split(' ').filter(Boolean);
  const numbered = words.length > 1 && Number.isInteger(Number(words[0]));
  return words.slice(numbered ? 1 : 0).join(' ');
}

/** Evenly spaced sample of at most `count`. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as T);
}

/** Runs at most; each looks things up and asks no model. */
const MOST_RUNS = 6;
const MOST_PROVEN = 3;

/**
 * Those of the questions that have an answer here: it is no refusal, the line that leads stands in a file that the
 * question is about, and where the workspace has links, its trail and its quotes are of two files or more. Tries them
 * in their order, six at most, until three are found.
 *
 * @param ask Runs one question without a language model.
 * @returns at most three; those found until the signal ended it
 */
export async function provenQuestions(
  { questions, linked }: SuggestedQuestions,
  ask: (question: string, signal: AbortSignal) => AsyncIterable<ResearchEvent>,
  signal: AbortSignal,
): Promise<string[]> {
  const proven: string[] = [];
  for (const { question, paths } of questions.slice(0, MOST_RUNS)) {
    if (signal.aborted || proven.length >= MOST_PROVEN) break;
    const answer = await answerOf(ask(question, signal));
    if (answer && isProof(answer, paths, linked ? 2 : 1)) proven.push(question);
  }
  return proven;
}

function isProof({ abstained, lead, citations, passages, chain }: Answer, paths: string[], files: number): boolean {
  if (abstained) return false;
  const pathOf = (cited: Citation | undefined): string | undefined =>
    passages.find(({ id }) => id === cited?.passageId)?.path;
  // A list has no line that stands large: it begins with the definition that is asked about.
  const leading = lead ? citations.find(({ number }) => number === lead.citations[0]) : citations[0];
  const shown = [...chain.hops.map(({ passage }) => passage.path), ...citations.map(pathOf)];
  return paths.includes(pathOf(leading) ?? '') && new Set(shown).size >= files;
}

async function answerOf(run: AsyncIterable<ResearchEvent>): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  for await (const event of run) if (event.type === 'answer-end') answer = event.answer;
  return answer;
}
