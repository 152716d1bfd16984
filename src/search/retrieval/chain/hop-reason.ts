import { lowerInPlace } from '#base';
import { keysOfLink } from '../../domain/link-keys.ts';
import type { Because, HopReason, TextSpan } from '../../domain/passage-chain.ts';
import { titleParts } from '../../domain/passage-title.ts';
import type { LinkKind, Passage, PassageLink } from '../../domain/passage.ts';
import { mentions } from '../features/chain-profile.ts';
import type { PassageProfile } from '../features/passage-profile.ts';
import type { AnalysedQuestion } from '../question.ts';
import { isStopWord, mayBeStopWord, type StopLanguage } from '../../text/stop-words.ts';
import { locatePhrase, stopLanguageOf } from '../../text/words.ts';

/**
 * Why the last of these passages stands in the chain: the strongest connection that a person can check, the latest hop
 * first. Without a question, what a chain begins with was chosen.
 */
export function explainHop(question: AnalysedQuestion, passages: readonly PassageProfile[]): HopReason {
  const here = passages.at(-1);
  if (here === undefined) throw new RangeError('A hop is explained within a chain of at least one passage.');
  const earlier = passages
    .slice(0, -1)
    .map((passage, hop) => ({ passage, hop }))
    .reverse();
  for (const { passage, hop } of earlier) {
    const reason = linkReason(passage, here, hop);
    if (reason !== undefined) return reason;
  }
  for (const { passage, hop } of earlier) {
    const reason = titleReason(passage, here, hop);
    if (reason !== undefined) return reason;
  }
  const named = question.names.filter((name) => mentions(here, name.key) && isTopic(name.key, here));
  const asked = named.filter((name) => !earlier.some(({ passage }) => mentions(passage, name.key)));
  if (earlier.length > 0 && asked.length > 0)
    return questionReason(
      asked.map((name) => name.text),
      here,
      true,
    );
  for (const { passage, hop } of earlier) {
    const reason = termReason(question, passage, here, hop);
    if (reason !== undefined) return reason;
  }
  const last = earlier[0];
  const isAsked = question.text !== '';
  if (last !== undefined) {
    return {
      kind: 'meaning',
      because: { code: isAsked ? 'near-both' : 'near-passage', who: nameOf(last.passage) },
      terms: sharedTerms(question, here),
      from: last.hop,
    };
  }
  if (!isAsked) return { kind: 'chosen', because: { code: 'chosen' }, terms: [] };
  const names = named.map((name) => name.text);
  return questionReason(names.length > 0 ? names : sharedTerms(question, here), here, false);
}

/**
 * Whether a name or a title is more than words that carry no topic: a page that is called “About” is named nowhere by
 * that word. Those of other languages than English count by the language of the passage: questions are short.
 */
function isTopic(form: string, { passage }: PassageProfile): boolean {
  let language: StopLanguage | undefined;
  return form.split(' ').some((word) => {
    if (isStopWord(word)) return false;
    if (!mayBeStopWord(word)) return true;
    language ??= stopLanguageOf(passage.text);
    return !isStopWord(word, language);
  });
}

function questionReason(asked: readonly string[], here: PassageProfile, other: boolean): HopReason {
  const terms = asked.slice(0, 3);
  const because: Because =
    terms.length === 0 ? { code: 'near-question' } : { code: other ? 'asks-also' : 'matches', terms };
  return { kind: 'question', because, terms, toSpan: firstSpan(here.passage.text, asked) };
}

/** A link that one of the two writes to the other; of both, the earlier passage's own. */
function linkReason(from: PassageProfile, to: PassageProfile, hop: number): HopReason | undefined {
  const own = linkBetween(from, to);
  const link = own ?? linkBetween(to, from);
  if (link === undefined) return undefined;
  const [forwards, backwards] = LINK_CODES[link.kind] ?? (['links', 'links-back'] as const);
  const [writes, meant] = own ? [from, to] : [to, from];
  const [at, target] = [spanOfLink(writes.passage, link), spanOfTarget(meant, link)];
  return {
    kind: own ? 'link' : 'backlink',
    because: { code: own ? forwards : backwards, who: nameOf(from), what: link.target, line: link.line },
    terms: [link.target],
    from: hop,
    fromSpan: own ? at : target,
    toSpan: own ? target : at,
  };
}

/** How links that are no plain ones are told, from the end that writes them and from the other. */
const LINK_CODES: Readonly<Partial<Record<LinkKind, readonly ['imports' | 'uses', 'imports-of' | 'uses-of']>>> = {
  import: ['imports', 'imports-of'],
  call: ['uses', 'uses-of'],
};

/** First link of `from` that points at `to` itself; a bare file-to-file link within one file says nothing. */
function linkBetween(from: PassageProfile, to: PassageProfile): PassageLink | undefined {
  if (![...from.linkKeys].some((key) => to.nameKeys.has(key))) return undefined; // as most
  const isWithin = from.passage.path === to.passage.path;
  return from.passage.links.find(
    (link) => (!isWithin || link.anchor !== undefined) && keysOfLink(link).some((key) => to.nameKeys.has(key)),
  );
}

function spanOfLink(passage: Passage, link: PassageLink): TextSpan | undefined {
  const lines = passage.text.split('\n');
  const row = link.line - passage.startLine;
  const offset = lines.slice(0, Math.max(0, row)).reduce((sum, line) => sum + line.length + 1, 0);
  for (const written of [link.target, link.target.split(/[.#/]|::/).at(-1) ?? '']) {
    const at = written === '' ? -1 : passage.text.indexOf(written, row >= 0 && row < lines.length ? offset : 0);
    if (at >= 0) return { start: at, end: at + written.length };
  }
  return undefined;
}

function spanOfTarget(profile: PassageProfile, link: PassageLink): TextSpan | undefined {
  const name = (link.anchor ?? link.target).split(/[.#/]|::/).at(-1) ?? '';
  const at = name === '' ? -1 : profile.passage.text.indexOf(name);
  return at < 0 ? undefined : { start: at, end: at + name.length };
}

function titleReason(from: PassageProfile, to: PassageProfile, hop: number): HopReason | undefined {
  const isNamedIn = (title: string, text: PassageProfile): boolean =>
    title.length > 2 && text.form.includes(` ${title} `) && isTopic(title, text);
  const named = to.titles.find((title) => isNamedIn(title, from));
  const title = named ?? from.titles.find((title) => isNamedIn(title, to));
  if (title === undefined) return undefined;
  const [fromSpan, toSpan] = [locatePhrase(from.passage.text, title), locatePhrase(to.passage.text, title)];
  const [naming, span] = named === undefined ? [to, toSpan] : [from, fromSpan];
  const written = span === undefined ? title : naming.passage.text.slice(span.start, span.end);
  const because: Because =
    named === undefined
      ? { code: 'names-subject', what: written }
      : { code: 'names', who: nameOf(from), what: written };
  return { kind: 'title', because, terms: [written], from: hop, fromSpan, toSpan };
}

function termReason(
  question: AnalysedQuestion,
  from: PassageProfile,
  to: PassageProfile,
  hop: number,
): HopReason | undefined {
  const shared = [...from.names.values()].filter(
    ({ name }) =>
      !question.form.includes(` ${name.key} `) &&
      name.key.length > 3 &&
      mentions(to, name.key) &&
      isTopic(name.key, to),
  );
  shared.sort(
    (a, b) =>
      Number(a.name.kind === 'number') - Number(b.name.kind === 'number') || b.name.key.length - a.name.key.length,
  );
  const best = shared[0]?.name;
  if (best === undefined) return undefined;
  return {
    kind: 'term',
    because: { code: 'shares', who: nameOf(from), what: best.text },
    terms: [best.text],
    from: hop,
    fromSpan: { start: best.start, end: best.end },
    toSpan: locatePhrase(to.passage.text, best.key),
  };
}

/** `v4` is searched for as `v` and `4`, which tell nothing apart. */
const ONE_SIGN = /^[\p{Script=Latin}\p{N}]$/u;

function sharedTerms(question: AnalysedQuestion, here: PassageProfile): string[] {
  return question.stems
    .map((key, i) => ({
      word: question.words[i] ?? key,
      idf: here.counts.has(key) ? (question.idf.get(key) ?? 0) : -1,
    }))
    .filter(({ word, idf }) => idf >= 0 && !ONE_SIGN.test(word) && isTopic(word, here))
    .sort((a, b) => b.idf - a.idf)
    .slice(0, 3)
    .map(({ word }) => word);
}

function firstSpan(text: string, terms: readonly string[]): TextSpan | undefined {
  for (const term of terms) {
    const at = lowerInPlace(text).indexOf(lowerInPlace(term));
    if (at >= 0) return { start: at, end: at + term.length };
  }
  return undefined;
}

/** The last part of the title; of several sections in one passage, what they are sections of. */
function nameOf({ passage }: PassageProfile): string {
  const parts = titleParts(passage.title);
  const last = parts.at(-1) ?? '';
  const name = parts.length > 1 && last.includes(', ') ? parts.at(-2) : last;
  return name || passage.path;
}
