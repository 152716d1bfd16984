import { cutTo } from '#base';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonInWords } from '#search/reasons';
import type { Answer, Passage, Thread, Hop, Translate } from '../protocol.ts';
import { splitAtMarks } from '../citation-marks.ts';
import { refusalLabel } from '../labels.ts';
import { answerIn } from '../threads/turn-passages.ts';
import { citedBy, lineOfHop, shownTrail } from '../trail.ts';

/** How a passage is linked from the exported text: a path that its reader can follow. */
type LinkTo = (passage: Passage) => string;

/** Links relative to a folder on disk; `/`-separated, escaped for Markdown. */
export function linksFrom(folder: string): LinkTo {
  return (passage) => {
    if (!passage.uri.startsWith('file:')) return encodeLink(passage.path);
    const relative = path.relative(folder, fileURLToPath(passage.uri)).split(path.sep).join('/');
    return encodeLink(relative);
  };
}

/** Links by workspace path. */
export const linksByPath: LinkTo = (passage) => encodeLink(passage.path);

const encodeLink = (link: string): string =>
  encodeURI(link).replace(/[()#?]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
const escapeText = (text: string): string => text.replace(/([\\`*_[\]<>])/g, '\\$1');

/** The answer with its `[n]` marks as links, and the trail as a list below it. */
export function answerAsMarkdown(question: string, answer: Answer, linkTo: LinkTo, t: Translate): string {
  const lines = [
    `**${escapeText(question)}**`,
    '',
    answer.abstained ? escapeText(refusalLabel(answer, t)) : linkMarks(answer.text, answer, linkTo),
  ];
  const hops = shownTrail(answer, []);
  if (hops.length > 0) {
    lines.push('', `${answer.abstained ? t('Closest passages') : t('Sources')}:`, '');
    hops.forEach((hop, index) => {
      const reason = reasonInWords(hop.why, t).text;
      const why = reason === '' ? '' : ` (${escapeText(reason)})`;
      const title = hop.passage.title === '' ? '' : ` ${escapeText(hop.passage.title)}`;
      lines.push(`${index + 1}. ${passageLink(hop.passage, linkTo, lineOfHop(hop, answer.citations))}${title}${why}`);
    });
  }
  return `${lines.join('\n')}\n`;
}

function passageLink(passage: Passage, linkTo: LinkTo, line: number): string {
  return `[${escapeText(passage.path)}:${line}](${linkTo(passage)}#L${line})`;
}

function linkMarks(text: string, answer: Answer, linkTo: LinkTo): string {
  return splitAtMarks(text)
    .map((part) => {
      if (typeof part === 'string') return part;
      const cited = citedBy(answer, part.number);
      return cited ? `[\\[${part.number}\\]](${linkTo(cited.passage)}#L${cited.citation.startLine})` : part.text;
    })
    .join('')
    .trim();
}

/**
 * The first line of an exported thread: the index leaves out files that begin with it, so that answers do not become
 * evidence.
 */
const THREAD_MARK = '<!-- hoptrail:thread -->';

/** A whole thread as one document. */
export function threadAsMarkdown(thread: Thread, linkTo: LinkTo, t: Translate): string {
  const parts = thread.turns.map((turn) => {
    const answer = answerIn(turn.events);
    return answer
      ? answerAsMarkdown(turn.question, answer, linkTo, t)
      : `**${escapeText(turn.question)}**\n\n*${t('This run did not end.')}*\n`;
  });
  return `${THREAD_MARK}\n# ${escapeText(thread.title)}\n\n${parts.join('\n---\n\n')}`;
}

/** A tour in the format of the CodeTour extension (schema: https://aka.ms/codetour-schema). */
interface CodeTour {
  $schema: string;
  title: string;
  description: string;
  steps: { file: string; line: number; title: string; description: string }[];
}

/**
 * The trail as a tour: one step per hop, on the line of the hop that matters, told with the reason for the step.
 * `fileOf` gives paths relative to the folder that holds `.tours`.
 */
export function trailAsTour(question: string, answer: Answer, fileOf: (hop: Hop) => string, t: Translate): CodeTour {
  return {
    $schema: 'https://aka.ms/codetour-schema',
    title: question,
    description: answer.short === '' ? answer.text : answer.short,
    steps: answer.chain.hops.map((hop, index) => ({
      file: fileOf(hop),
      line: lineOfHop(hop, answer.citations),
      title: hop.passage.title === '' ? hop.passage.path : hop.passage.title,
      description:
        [reasonInWords(hop.why, t).text, index === answer.chain.hops.length - 1 ? answer.short : '']
          .filter((part) => part !== '')
          .join('\n\n') || hop.passage.path,
    })),
  };
}

/** A file name for a title: lower case, words joined by hyphens. */
export function fileNameFrom(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  const name = cutTo((words ?? []).join('-'), 60);
  return (name.endsWith('-') ? name.slice(0, -1) : name) || 'trail';
}
