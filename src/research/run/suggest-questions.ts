import { baseName, lowerFirst, remembered, stemOf } from '#base';
import {
  contentStems,
  documentTitle,
  headingInLine,
  type IndexService,
  isProseLanguage,
  isStopWord,
  lastTitle,
  type Passage,
  type PassageLink,
  titleParts,
} from '#search';
import type { Answer, Citation } from '../domain/answer.ts';
import type { ResearchEvent } from '../domain/research-event.ts';

/** Files looked at: enough for variety, few enough to answer at once. */
const SAMPLE = 60;
const MOST_SUGGESTED = 9;
/** Characters of a name in a question that is read at a glance. */
const LONGEST_NAME = 50;
/** Words that a line has beside its link, where it says something about what it links to. */
const LEAST_SAID = 5;

/** A question, and which line answers it. */
interface MadeQuestion {
  question: string;
  /** File that the answer leads with. */
  path: string;
  /** Whether these lines of the file, the first of this number, say what is asked; undefined: a list does. */
  says?(text: string, line: number): boolean;
}

/** Questions that may be suggested, the ones to try first first. */
interface SuggestedQuestions {
  questions: MadeQuestion[];
  /** Whether any file that was looked at links to another one. */
  linked: boolean;
}

/**
 * Up to nine questions made from the workspace's own titles and links: over two linked files, about a symbol, about a
 * part of a document. Without a language model; the same index gives the same questions. Whether they have an answer is
 * for {@link provenQuestions} to find out.
 *
 * In English, whatever the interface speaks: put into German, Spanish, French, Japanese or Chinese, fewer of them are
 * proven, and “What calls …?” is read as a question for references in English alone.
 */
export async function suggestQuestions(
  index: Pick<IndexService, 'report' | 'passagesOf'>,
): Promise<SuggestedQuestions> {
  const { files } = await index.report();
  const read = new Map<string, Promise<Passage[]>>();
  const passagesOf = (path: string): Promise<Passage[]> => remembered(read, path, () => index.passagesOf(path));
  const first = (among: readonly { path: string }[], make: MakeQuestion): Promise<MadeQuestion | undefined> =>
    firstQuestion(passagesOf, among, make);
  const prose = spread(
    files.filter((file) => isProseLanguage(file.language)),
    SAMPLE,
  );
  const code = spread(
    files.filter((file) => !isProseLanguage(file.language) && file.language !== 'json'),
    SAMPLE,
  );
  const found: MadeQuestion[] = [];
  const add = (asked: MadeQuestion | undefined): void => {
    if (asked && !found.some(({ question }) => question === asked.question)) found.push(asked);
  };
  let connections = 0;
  const connection = async (passages: readonly Passage[]): Promise<MadeQuestion | undefined> => {
    const asked = await connectionQuestion(passages, async (path) => (await passagesOf(path))[0]);
    if (asked) connections += 1;
    return asked;
  };
  /** The files from this part of them on, and those before it behind. */
  const from = <T>(list: readonly T[], part: number): T[] => {
    const at = Math.floor(list.length * part);
    return [...list.slice(at), ...list.slice(0, at)];
  };
  const backwards = [...prose].reverse();
  add(await first(prose, connection));
  add(await first(code, symbolQuestion));
  add(await first(backwards, sectionQuestion));
  add(await first(code, connection));
  for (const part of [0.5, 0.25, 0.75]) add(await first(from(prose, part), connection));
  add(await first(backwards, connection));
  add(await first(from(backwards, 0.5), sectionQuestion));
  return { questions: found.slice(0, MOST_SUGGESTED), linked: connections > 0 };
}

type MakeQuestion = (passages: readonly Passage[]) => Promise<MadeQuestion | undefined> | MadeQuestion | undefined;

async function firstQuestion(
  passagesOf: (path: string) => Promise<Passage[]>,
  files: readonly { path: string }[],
  make: MakeQuestion,
): Promise<MadeQuestion | undefined> {
  for (const file of files) {
    const asked = await make(await passagesOf(file.path));
    if (asked) return asked;
  }
  return undefined;
}

/** What a file says of the one that it links to, both called as they call themselves. */
async function connectionQuestion(
  passages: readonly Passage[],
  firstOf: (path: string) => Promise<Passage | undefined>,
): Promise<MadeQuestion | undefined> {
  for (const passage of passages) {
    const link = passage.links.find((candidate) => isCrossFile(candidate, passage) && saysMore(candidate, passage));
    if (!link?.path) continue;
    const { path } = passage;
    if (link.kind === 'import') {
      const names = namesFrom(link.path, passages);
      if (names.length === 0) continue;
      const says = (text: string): boolean => text.split(/[^\p{L}\p{N}_$]+/u).some((word) => names.includes(word));
      return { question: `What does ${baseName(path)} use ${baseName(link.path)} for?`, path, says };
    }
    const linked = await firstOf(link.path);
    const from = spoken(titleOf(passage));
    const to = spoken(linked ? titleOf(linked) : stemOf(link.path));
    if (![from, to].every((name) => name !== '' && name.length <= LONGEST_NAME) || from === to) continue;
    const own = new Set(contentStems(from));
    const words = new Set(contentStems(`${to} ${stemOf(link.path)}`).filter((word) => !own.has(word)));
    const says = (text: string): boolean => contentStems(text).some((word) => words.has(word));
    return { question: `What does ${named(from)} say about ${named(to)}?`, path, says };
  }
  return undefined;
}

/** Whether its line says anything: one of front matter, or “See the overview”, does not. */
function saysMore({ kind, line, target }: PassageLink, { startLine, text, kind: passageKind }: Passage): boolean {
  if (kind === 'import') return true;
  const own = new Set(contentStems(target));
  const said = contentStems(text.split('\n')[line - startLine] ?? '').filter((word) => !own.has(word));
  return passageKind !== 'front-matter' && said.length >= LEAST_SAID;
}

/** Names that a program takes from a file. */
function namesFrom(path: string, passages: readonly Passage[]): string[] {
  const links = passages.flatMap((passage) => passage.links).filter((link) => link.path === path);
  const names = links.flatMap(({ kind, target }) =>
    kind === 'import' ? target.split('#').slice(1) : kind === 'call' ? [target] : [],
  );
  return [...new Set(names)].filter((name) => name.length > 2);
}

function symbolQuestion(passages: readonly Passage[]): MadeQuestion | undefined {
  const symbols = passages.filter(
    (passage) => passage.kind === 'function' && passage.links.some((link) => link.kind === 'call'),
  );
  const [most] = symbols.sort((a, b) => b.links.length - a.links.length);
  const name = most && lastTitle(most.title);
  return name ? { question: `What calls ${name}?`, path: most.path } : undefined;
}

function sectionQuestion(passages: readonly Passage[]): MadeQuestion | undefined {
  for (const { kind, title, text, path, startLine } of passages) {
    const [name = '', ...parts] = titleParts(title);
    const lines = text.split('\n');
    const headings = lines.flatMap((line, index) => (/^#{1,6} /u.test(line) ? [index] : []));
    // Where several small parts make up a passage, its title lists them; a short note is one passage with all of them.
    const inText = headings.map((index) => headingInLine(lines[index] ?? '')).find((heading) => heading !== name);
    const part = parts.at(-1)?.split(', ')[0] ?? inText ?? '';
    // “Why two programs” is no thing that something is said about.
    const [first = ''] = part.split(' ');
    if (kind !== 'section' || text.length <= 200 || part === '' || isStopWord(first.toLowerCase())) continue;
    const from = headings.find((index) => lines[index]?.endsWith(part)) ?? 0;
    const to = headings.find((index) => index > from) ?? lines.length;
    const words = new Set(contentStems(part));
    const says = (said: string, line: number): boolean =>
      (line >= startLine + from && line < startLine + to) || contentStems(said).some((word) => words.has(word));
    return { question: `What does ${named(spoken(name))} say about ${subject(part)}?`, path, says };
  }
  return undefined;
}

/** A heading within a sentence: a lone word as people say it, more of them as they are written. */
function subject(heading: string): string {
  if (heading.includes(' ')) return named(heading);
  const word = lowerFirst(heading);
  return word === heading || /(?:s|ing)$/u.test(word) ? word : `the ${word}`;
}

/** A title within a sentence: what is written as a name needs no signs around it. */
const named = (title: string): string =>
  /^\p{Lu}[\p{L}\p{N}]*(?: \p{Lu}[\p{L}\p{N}]*){0,2}$/u.test(title) ? title : `“${title}”`;

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
const MOST_RUNS = MOST_SUGGESTED;
const MOST_PROVEN = 3;

/**
 * Those of the questions that have an answer here, and the right one: it is no refusal; what leads stands in the file
 * that is asked, and there in the part, or with a word of the thing or a name of the program, that is asked about; of a
 * list, there is more in it than what is asked about. Where the workspace has links, its trail and its quotes are of
 * two files or more; where it has none, a question about one file is better than none. Tries them in their order, nine
 * at most, until three are found.
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
  for (const made of questions.slice(0, MOST_RUNS)) {
    if (signal.aborted || proven.length >= MOST_PROVEN) break;
    const answer = await answerOf(ask(made.question, signal));
    if (answer && isProof(answer, made, linked ? 2 : 1)) proven.push(made.question);
  }
  return proven;
}

function isProof(answer: Answer, { path, says }: MadeQuestion, files: number): boolean {
  const { abstained, lead, citations, passages, chain } = answer;
  if (abstained) return false;
  const passageOf = (cited: Citation | undefined): Passage | undefined =>
    passages.find(({ id }) => id === cited?.passageId);
  const leading = lead ? citations.find(({ number }) => number === lead.citations[0]) : citations[0];
  const passage = passageOf(leading);
  if (!leading || passage?.path !== path) return false;
  const isSaid = says?.(linesOf(leading, passage), leading.startLine) ?? true;
  const shown = [...chain.hops.map((hop) => hop.passage.path), ...citations.map((cited) => passageOf(cited)?.path)];
  return isSaid && new Set(shown).size >= files;
}

const linesOf = ({ startLine, endLine }: Citation, passage: Passage): string =>
  passage.text
    .split('\n')
    .slice(startLine - passage.startLine, endLine - passage.startLine + 1)
    .join('\n');

async function answerOf(run: AsyncIterable<ResearchEvent>): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  for await (const event of run) if (event.type === 'answer-end') answer = event.answer;
  return answer;
}
