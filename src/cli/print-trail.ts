import { shortened } from '#base';
import {
  type Answer,
  type Plan,
  placeOfSubAnswer,
  type PlanCost,
  type ResearchEvent,
  shownSubAnswers,
} from '#research';
import type { Hop, Passage, QuestionType } from '#search';
import { runNoticeInWords } from '#research/notices';
import { likelyTypes } from '#research/types';
import { reasonInWords } from '#search/reasons';
import { printable, type Style } from './terminal.ts';

/** `path:line`, or `path, page 3`: most terminals make the first a link. */
export function locationOf(passage: Passage): string {
  const path = printable(passage.path);
  return passage.page === undefined ? `${path}:${passage.startLine}` : `${path}, page ${passage.page}`;
}

/** Answer and trail for a terminal of `width` columns, and what was found on the way to it. */
export function printAnswer(answer: Answer, question: string, style: Style, width: number): string {
  const lines: string[] = [];
  const [why = '', ...rest] = answer.abstained ? answer.text.split('\n') : [];
  lines.push(answer.abstained ? [style.warn(why), ...rest].join('\n') : answer.text, '');
  for (const citation of answer.citations) {
    const passage = answer.passages.find((candidate) => candidate.id === citation.passageId);
    if (passage)
      lines.push(`  ${style.accent(`[${citation.number}]`)} ${printable(passage.path)}:${citation.startLine}`);
  }
  if (answer.citations.length > 0) lines.push('');
  const found = shownSubAnswers(question, answer);
  if (found.length > 0) lines.push(style.bold('Found on the way'), ...found.map((one) => foundLine(one, answer)), '');
  if (answer.chain.hops.length > 0)
    lines.push(
      style.bold(answer.abstained ? 'Nearest passages' : 'Trail'),
      ...printHops(answer.chain.hops, style, width, answer.finds),
    );
  if (answer.by === 'extractive' && !answer.abstained)
    lines.push(style.dim('Quotes from your files, put together without a language model.'));
  if (answer.unsupportedCount > 0)
    lines.push(
      style.warn(`${answer.unsupportedCount} statement(s) could not be found in the files and were removed or marked.`),
    );
  const { coverage } = answer;
  if (coverage.indexing)
    lines.push(
      style.warn(
        `The index is still being built: ${coverage.files} files read, ${coverage.embedded} of ` +
          `${coverage.passages} passages searchable by meaning.`,
      ),
    );
  return lines.join('\n').trimEnd();
}

function foundLine(one: ReturnType<typeof shownSubAnswers>[number], answer: Answer): string {
  const place = placeOfSubAnswer(one, answer);
  return `  ${printable(one.question)} → ${printable(one.answer)}${place ? `  ${printable(place.passage.path)}:${place.line}` : ''}`;
}

/**
 * The chain drawn as hops down a line.
 * @param finds What each hop found
 */
export function printHops(hops: readonly Hop[], style: Style, width: number, finds: Answer['finds'] = []): string[] {
  return hops.flatMap((hop, i) => {
    const rail = i === hops.length - 1 ? ' ' : '│';
    const body = excerpt(hop.passage.text, 3, width - 6).map((line) => `  ${rail}   ${style.dim(line)}`);
    const title = hop.passage.title ? `  ${style.bold(hop.passage.title)}` : '';
    return [
      `  ${style.accent('●')} ${style.accent(locationOf(hop.passage))}${title}`,
      `  ${rail}   ${reasonInWords(hop.why).text}`,
      ...body,
      ...(!finds[i] ? [] : [`  ${rail}   ${style.good('→')} ${printable(finds[i])}`]),
      ...(i === hops.length - 1 ? [''] : [`  ${rail}`]),
    ];
  });
}

/** First non-blank lines, cut to the width. */
export function excerpt(text: string, count: number, width: number): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, count).map((line) => shortened(line, Math.max(2, width)));
}

/** One research event as a line for a person who watches; undefined for events that the answer repeats. */
export function printEvent(event: ResearchEvent, style: Style): string | undefined {
  switch (event.type) {
    case 'run-start':
      return event.asked === event.question ? undefined : style.dim(`Understood as: ${event.question}`);
    case 'question-classified':
      return typeLine(event, style);
    case 'strategy-selected':
      return style.dim(`Strategy: ${event.strategy}: ${event.reason}`);
    case 'debate-turn':
      return style.dim(
        `  debate, round ${event.round}, ${event.role}${event.plan ? ` (${event.plan.join(' → ')})` : ''}: ` +
          `${firstLine(event.text)}`,
      );
    case 'plan-proposed':
      return style.dim(planLine(event.plan));
    case 'step-start':
      return `${event.parentStepId ? '  ' : ''}▸ ${event.question}`;
    case 'passages-retrieved':
      return style.dim(
        `    ${event.hits.length} passages in ${Math.round(event.milliseconds)} ` +
          `ms${event.chain?.hops[0] ? `, from ${locationOf(event.chain.hops[0].passage)}` : ''}`,
      );
    case 'sub-answer-ready':
      return event.subAnswer.found
        ? `    ${style.good('→')} ${firstLine(event.subAnswer.answer)}`
        : style.dim('    → nothing found');
    case 'critique-ready':
      return event.verdict.verdict === 'keep'
        ? undefined
        : style.warn(`    ✗ ${event.verdict.verdict}: ${firstLine(event.verdict.reason)}`);
    case 'step-end':
      return event.error ? style.warn(`    failed: ${event.error.message}`) : undefined;
    case 'notice':
      return style.warn(runNoticeInWords(event));
    case 'answer-delta':
    case 'answer-end':
    case 'run-end':
    case 'run-error':
    case 'run-cancelled':
      return undefined;
  }
}

const MEANINGS: Record<QuestionType, string> = {
  inference: 'a step lies between question and answer',
  comparison: 'things are held against each other',
  temporal: 'it is about order or change in time',
  lookup: 'one fact that stands in one place',
  overview: 'it asks for a whole, not for one fact',
  null: 'no line that was read answers it',
};

/** undefined where nobody asked what type the question is. */
function typeLine(
  { classification, usual }: Extract<ResearchEvent, { type: 'question-classified' }>,
  style: Style,
): string | undefined {
  const { type: own, classifier } = classification;
  if (classifier === 'fixed' && own !== 'null') return undefined;
  const types = likelyTypes(classification);
  const named = types.map(({ type, probability }) =>
    probability === undefined ? type : `${type}, ${Math.round(100 * probability)} %`,
  );
  const meaning = types.map(({ type }) => MEANINGS[type]).join(', or ');
  const plan = usual ? `; usually planned as ${usual.join(' → ')}` : '';
  return style.dim(`Type: ${named.join(', or ')} (${classifier}): ${meaning}${plan}`);
}

const ORIGINS: Record<Plan['origin'], string> = {
  'debate-hard': 'the debate agreed',
  'debate-soft': 'the debate ran out of rounds',
  fast: 'planned in one call',
  repaired: 'repaired',
  default: 'the usual plan for this type of question',
  chosen: 'chosen by what earlier runs were worth',
  fixed: 'asked for',
  'no-model': 'the only way without a language model',
  index: 'the index lists it',
};

function planLine({ steps, vote, origin, reason, cost }: Plan): string {
  const names = steps.map((step) => step.operator);
  const operators = vote ? `${names.join(' + ')}, a vote` : names.join(' → ');
  return `Plan: ${operators} (${ORIGINS[origin]}${cost ? `; ${costInWords(cost)}` : ''})${reason ? `: ${firstLine(reason)}` : ''}`;
}

function costInWords({ calls: { least, most }, tokens }: PlanCost): string {
  if (most === 0) return 'no model calls';
  const calls = most === undefined ? `${least} or more` : least < most ? `${least} to ${most}` : `${most}`;
  return `${calls} ${most === 1 ? 'call' : 'calls'}, about ${tokens.toLocaleString('en')} tokens`;
}

const firstLine = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? '';
  return shortened(line, 160);
};
