import { addTo, lowerFirst, stemOf } from '#base';
import {
  documentTitle,
  isProseLanguage,
  lastTitle,
  type Name,
  nameForm,
  type PassageKind,
  readNames,
  splitSentences,
  type Passage,
  type PassageLink,
  titleParts,
  WRITTEN_LINKS,
} from '#search';
import { answerF1, type ResearchEvent } from '#research';

/** Two passages of which the first points at the second: a chain of two hops that a question can be asked about. */
export interface Bridge {
  from: Passage;
  to: Passage;
  /** The sentence of `from` that points, with `…` where the name of `to` stood. */
  clue: string;
  /** Names of `to`: none of them may stand in a question, or the first hop is not needed. */
  names: string[];
}

/** Links of code that say nothing in words: the clue is the symbol that holds them. */
const CODE_LINKS = new Set<PassageLink['kind']>(['import', 'call']);
/** Rows and fields say too little around a link. */
const TABULAR = new Set<Passage['kind']>(['front-matter', 'table', 'data', 'outline']);

/**
 * Bridges between these passages, in their order: by resolved links, and where prose names another passage's title. A
 * pair counts once. Passages that point at several things in one sentence, or at themselves, make no bridge.
 */
export function findBridges(passages: readonly Passage[]): Bridge[] {
  const byPath = new Map<string, Passage[]>();
  const byTitle = new Map<string, Passage[]>();
  for (const passage of passages) {
    addTo(byPath, passage.path, passage);
    const form = nameForm(titleParts(passage.title)[0] ?? '');
    if (form.length > 3) addTo(byTitle, form, passage);
  }
  const bridges = new Map<string, Bridge>();
  for (const from of passages) {
    if (TABULAR.has(from.kind)) continue;
    for (const bridge of [...linked(from, byPath), ...named(from, byTitle)]) {
      const key = `${bridge.from.id} ${bridge.to.id}`;
      if (!bridges.has(key)) bridges.set(key, bridge);
    }
  }
  return [...bridges.values()];
}

function linked(from: Passage, byPath: ReadonlyMap<string, readonly Passage[]>): Bridge[] {
  const outside = from.links.filter((link) => link.path !== undefined && link.path !== from.path);
  const codeTargets = new Set(
    outside.filter((link) => CODE_LINKS.has(link.kind)).map((link) => `${link.path}#${link.anchor ?? ''}`),
  );
  return outside.flatMap((link) => {
    const to = meant(byPath.get(link.path ?? '') ?? [], link.anchor);
    if (!to) return [];
    const names = namesOf(to, link.target);
    if (CODE_LINKS.has(link.kind)) return codeTargets.size === 1 ? [{ from, to, clue: '', names }] : []; // "the one thing it uses"
    const clue = WRITTEN_LINKS.has(link.kind) ? clueOf(from, link, outside) : undefined;
    return clue === undefined ? [] : [{ from, to, clue, names }];
  });
}

/** Prose that names another passage's title, where nobody has made a link of it. */
function named(from: Passage, byTitle: ReadonlyMap<string, readonly Passage[]>): Bridge[] {
  if (!isProseLanguage(from.language)) return [];
  return splitSentences(from.text).flatMap(({ start, end }) => {
    const sentence = from.text.slice(start, end);
    const others = readNames(sentence).filter(
      (name) => byTitle.has(name.key) && byTitle.get(name.key)?.every((to) => to.path !== from.path),
    );
    const [name] = others;
    const to = name && byTitle.get(name.key)?.[0];
    if (!name || !to || new Set(others.map((other) => other.key)).size !== 1) return [];
    const clue = tidy(sentence.replaceAll(name.text, '…'));
    return clue === undefined ? [] : [{ from, to, clue, names: namesOf(to, name.text) }];
  });
}

/** The sentence of a link with the link's text left out; undefined when it holds another link, or nothing else. */
function clueOf(from: Passage, link: PassageLink, all: readonly PassageLink[]): string | undefined {
  if (all.some((other) => other !== link && other.line === link.line && other.path !== link.path)) return undefined;
  const line = from.text.split('\n')[link.line - from.startLine] ?? '';
  const escaped = link.target.split(/[#|]/)[0]?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') ?? '';
  if (escaped === '') return undefined;
  const markup = new RegExp(
    String.raw`!?\[\[${escaped}[^[\]]*\]\]|\[[^[\]]*\]\(<?${escaped}[^()]*\)|\x60?${escaped}\x60?`,
    'u',
  );
  const holding = splitSentences(line)
    .map(({ start, end }) => line.slice(start, end))
    .find((sentence) => markup.test(sentence));
  return holding === undefined ? undefined : tidy(holding.replace(markup, '…'));
}

/** A clue on one line without markup; undefined when too little is left to tell anything. */
function tidy(sentence: string): string | undefined {
  const text = sentence
    .replace(
      /\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]/gu,
      (_all, target: string, label: string | undefined) => label ?? target,
    )
    .replace(/\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .replace(/^[\s>#*+-]+(?:\[[ x]\]\s*)?|[*_`]+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return text.includes('…') &&
    !/\||---|^\w+: .*\s\w+: /u.test(text) &&
    text
      .replace(/…/gu, '')
      .split(/\s+/u)
      .filter((word) => /\p{L}/u.test(word)).length >= 3
    ? text
    : undefined;
}

/** The passage of a file that an anchor means, else its first. */
function meant(passages: readonly Passage[], anchor: string | undefined): Passage | undefined {
  const form = anchor === undefined ? undefined : nameForm(anchor);
  return (
    (form === undefined
      ? undefined
      : passages.find((passage) => titleParts(passage.title).some((title) => nameForm(title) === form))) ?? passages[0]
  );
}

const namesOf = (to: Passage, target: string): string[] =>
  [
    ...new Set(
      [
        documentTitle(to.title),
        stemOf(to.path),
        target.split(/[#|]/)[0] ?? '',
        to.language === 'markdown' ? '' : lastTitle(to.title),
      ].map(nameForm),
    ),
  ].filter((name) => name.length > 2);

/** A question with the answer that the second passage of its bridge gives. */
export interface MadeQuestion {
  question: string;
  answer: string;
}

const MONTH = String.raw`(?:January|February|March|April|May|June|July|August|September|October|November|December)`;
const DATE = new RegExp(
  String.raw`\b(?:\d{1,2}(?:st|nd|rd|th)? ${MONTH} \d{4}|${MONTH} \d{1,2},? \d{4}|${MONTH} \d{4}|\d{4}-\d{2}-\d{2}|(?:1[5-9]|20)\d{2})\b`,
  'u',
);
const SYMBOLS: ReadonlySet<PassageKind> = new Set(['function', 'class']);
/** Sentences looked at for something to ask about. */
const SENTENCES = 4;

/**
 * Questions about a bridge from titles, links and names alone, without a language model: what the first passage points
 * at is described by the sentence that points, never by its name, and asked for a date, a section or a name that only
 * the second holds.
 */
export function templateQuestions(bridge: Bridge): MadeQuestion[] {
  const { from, to, clue } = bridge;
  const pointer =
    clue === ''
      ? `the one thing from another file that ${lastTitle(from.title) || stemOf(from.path)} uses`
      : `what “…” stands for in “${clue}” (${documentTitle(from.title) || stemOf(from.path)})`;
  const made: MadeQuestion[] = [];
  const sentences = splitSentences(to.text)
    .slice(0, SENTENCES)
    .map(({ start, end }) => to.text.slice(start, end).replace(/\s+/gu, ' ').trim());
  const date = sentences
    .map((sentence) => DATE.exec(sentence)?.[0])
    .find((found) => found !== undefined && !from.text.includes(found));
  if (date !== undefined)
    made.push({ question: `Which ${/^\d{4}$/u.test(date) ? 'year' : 'date'} is given for ${pointer}?`, answer: date });
  const section = titleParts(to.title).slice(1).at(-1);
  const said = sentences.find((sentence) => /[.!]$/u.test(sentence) && /\p{L}/u.test(sentence));
  if (section && !section.includes(',') && said && isProseLanguage(to.language))
    made.push({ question: `What is said about ${lowerFirst(section)} in ${pointer}?`, answer: said });
  const name = sentences.flatMap(properNames).find((one) => isNew(one.key, bridge));
  if (name && isProseLanguage(to.language))
    made.push({ question: `Which name is connected with ${pointer}?`, answer: name.text });
  if (SYMBOLS.has(to.kind) && lastTitle(to.title))
    made.push({ question: `What is ${pointer} called?`, answer: lastTitle(to.title) });
  return made.filter(({ question }) => !namesLink(question, bridge));
}

/** Capitalised names; a lone word at the start of a sentence is as likely to be just that. */
const properNames = (sentence: string): Name[] =>
  readNames(sentence).filter((name) => name.kind === 'phrase' && (name.start > 0 || name.text.includes(' ')));

/** True when a question names what it should make people look for. */
export function namesLink(question: string, { names }: Bridge): boolean {
  const form = ` ${nameForm(question)} `;
  return names.some((name) => form.includes(` ${name} `));
}

const isNew = (key: string, { from, names }: Bridge): boolean =>
  key.length > 2 &&
  !names.some((name) => name.includes(key) || key.includes(name)) &&
  !` ${nameForm(from.text)} `.includes(` ${key} `);

/** Model calls that answering one made question may take. */
export const CALLS_PER_MADE = 15;

export interface AnsweringPorts {
  /** Questions made of this workspace, oldest first. */
  made(): Promise<readonly MadeQuestion[]>;
  /** A whole run that may teach. */
  ask(question: string): AsyncIterable<ResearchEvent>;
  /** Questions that may be asked: the newest. */
  most: number;
  /** F1 of a run's answer against the one that is known, 0..1. Returns whether the run teaches by that. */
  judge(runId: string, f1: number): boolean;
}

/** How the questions of a round were answered. */
export interface AnsweredQuestions {
  asked: number;
  /** Answers of which at least half is right, by F1. */
  right: number;
  /** Of these, what teaches: most of it is right, its citations hold, and nothing in it was written for a model. */
  teach: number;
}

/**
 * RISE's self-exploration (He et al. 2025, §3): what the last round has learnt answers the questions that it made, and
 * the runs that come to the known answer teach the next round. Each question is asked once; `known` are those that were
 * asked before, and gains those that are asked now.
 */
export async function answerMade(
  ports: AnsweringPorts,
  known: Set<string>,
  signal: AbortSignal,
  onProgress?: (done: number, of: number) => void,
): Promise<AnsweredQuestions> {
  const made = (await ports.made()).filter(({ question }) => !known.has(question));
  const questions = made.slice(Math.max(0, made.length - ports.most));
  const result: AnsweredQuestions = { asked: 0, right: 0, teach: 0 };
  for (const { question, answer } of questions) {
    signal.throwIfAborted();
    known.add(question);
    const { f1, teaches } = await askOne(ports, question, answer);
    result.asked += 1;
    if (f1 >= 0.5) result.right += 1;
    if (teaches) result.teach += 1;
    onProgress?.(result.asked, questions.length);
  }
  return result;
}

async function askOne(
  { ask, judge }: AnsweringPorts,
  question: string,
  expected: string,
): Promise<{ f1: number; teaches: boolean }> {
  let f1 = 0;
  let runId: string | undefined;
  for await (const event of ask(question)) {
    runId = event.runId;
    if (event.type === 'answer-end') f1 = event.answer.abstained ? 0 : answerF1(event.answer.short, [expected]);
  }
  return { f1, teaches: runId !== undefined && judge(runId, f1) };
}
