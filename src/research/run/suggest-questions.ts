import { baseName, remembered, stemOf } from '#base';
import { documentTitle, type IndexService, isProseLanguage, type Passage, titleParts } from '#search';
import type { Answer } from '../domain/answer.ts';
import type { ResearchEvent } from '../domain/research-event.ts';

/** Files looked at: enough for variety, few enough to answer at once. */
const SAMPLE = 60;
const MOST_SUGGESTED = 8;
const MOST_PROVEN = 3;
/** Characters of a name in a question that is read at a glance. */
const LONGEST_NAME = 50;
/** A shorter section says too little to be asked about. */
const LEAST_TEXT = 200;

interface MadeQuestion {
  question: string;
  path: string;
}

/** Questions that may be suggested, the ones to try first first. */
interface SuggestedQuestions {
  questions: MadeQuestion[];
  /** Whether any file that was looked at links to another one. */
  linked: boolean;
}

/**
 * Up to eight questions over linked files and parts of documents, in English, without a model, the same for the same
 * index. {@link provenQuestions} tells which of them have an answer.
 */
export async function suggestQuestions(
  index: Pick<IndexService, 'report' | 'passagesOf'>,
): Promise<SuggestedQuestions> {
  const { files } = await index.report();
  const read = new Map<string, Promise<Passage[]>>();
  const passagesOf = (path: string): Promise<Passage[]> => remembered(read, path, () => index.passagesOf(path));
  const links: MadeQuestion[] = [];
  const sections: MadeQuestion[] = [];
  for (const { path, language } of spread(files, SAMPLE)) {
    if (links.length + sections.length >= 2 * MOST_SUGGESTED) break;
    const passages = await passagesOf(path);
    const link = await linkQuestion(passages, async (other) => (await passagesOf(other))[0]);
    if (link) links.push(link);
    const section = isProseLanguage(language) ? sectionQuestion(passages) : undefined;
    if (section) sections.push(section);
  }
  const turns = links.flatMap((link, i) => [link, ...sections.slice(i, i + 1)]);
  const questions = [...turns, ...sections.slice(links.length)];
  return { questions: questions.slice(0, MOST_SUGGESTED), linked: links.length > 0 };
}

/** What a file says of one that it links to, or takes from it, both called as they call themselves. */
async function linkQuestion(
  passages: readonly Passage[],
  firstOf: (path: string) => Promise<Passage | undefined>,
): Promise<MadeQuestion | undefined> {
  for (const passage of passages) {
    const { path } = passage;
    const link = passage.links.find(
      (one) => one.path !== undefined && one.path !== path && ['wikilink', 'markdown', 'import'].includes(one.kind),
    );
    if (!link?.path) continue;
    if (link.kind === 'import')
      return { question: `What does ${baseName(path)} use ${baseName(link.path)} for?`, path };
    const linked = await firstOf(link.path);
    const [from, to] = [titleOf(passage), linked ? titleOf(linked) : stemOf(link.path)];
    if (from === to || [from, to].some((name) => name === '' || name.length > LONGEST_NAME)) continue;
    return { question: `What does “${from}” say about “${to}”?`, path };
  }
  return undefined;
}

function sectionQuestion(passages: readonly Passage[]): MadeQuestion | undefined {
  for (const { kind, title, text, path } of passages) {
    const [name = '', ...parts] = titleParts(title);
    const part = parts.at(-1)?.split(', ')[0] ?? '';
    const fits = [name, part].every((one) => one !== '' && one.length <= LONGEST_NAME);
    if (kind === 'section' && text.length > LEAST_TEXT && fits)
      return { question: `What does “${name}” say about “${part}”?`, path };
  }
  return undefined;
}

const titleOf = (passage: Passage): string => documentTitle(passage.title) || stemOf(passage.path);

function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as T);
}

/**
 * At most three of the questions, in their order, that have an answer without refusal, led by the file that is asked;
 * of two files or more where the workspace has links. `ask` runs one without a language model.
 */
export async function provenQuestions(
  { questions, linked }: SuggestedQuestions,
  ask: (question: string, signal: AbortSignal) => AsyncIterable<ResearchEvent>,
  signal: AbortSignal,
): Promise<string[]> {
  const proven: string[] = [];
  for (const { question, path } of questions) {
    if (signal.aborted || proven.length >= MOST_PROVEN) break;
    const answer = await answerOf(ask(question, signal));
    if (answer && isProof(answer, path, linked ? 2 : 1)) proven.push(question);
  }
  return proven;
}

function isProof({ abstained, lead, citations, passages }: Answer, path: string, files: number): boolean {
  const leading = citations.find(({ number }) => number === lead?.citations[0]);
  const first = passages.find(({ id }) => id === leading?.passageId);
  return !abstained && first?.path === path && new Set(passages.map((passage) => passage.path)).size >= files;
}

async function answerOf(run: AsyncIterable<ResearchEvent>): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  for await (const event of run) if (event.type === 'answer-end') answer = event.answer;
  return answer;
}
