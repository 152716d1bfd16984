import type { ResearchEvent } from '../../model/research-event.ts';
import type { Style } from './style.ts';
import { locationOf } from './print-trail.ts';

/** One research event as a line for a person who watches; undefined for events that the answer repeats. */
export function printEvent(event: ResearchEvent, style: Style): string | undefined {
  switch (event.type) {
    case 'run-start': return event.asked === event.question ? undefined : style.dim(`Understood as: ${event.question}`);
    case 'question-classified': return style.dim(`Type: ${event.classification.type} (${event.classification.classifier})`);
    case 'strategy-selected': return style.dim(`Strategy: ${event.strategy}: ${event.reason}`);
    case 'debate-turn': return style.dim(`  debate, round ${event.round}, ${event.role}: ${firstLine(event.text)}`);
    case 'plan-proposed': return style.dim(`Plan (${event.plan.origin}): ${event.plan.steps.map((step) => step.operator).join(' → ')}`);
    case 'step-start': return `${event.parentStepId ? '  ' : ''}▸ ${event.question}`;
    case 'passages-retrieved': return style.dim(`    ${event.hits.length} passages in ${Math.round(event.milliseconds)} ms${event.chain?.hops[0] ? `, from ${locationOf(event.chain.hops[0].passage)}` : ''}`);
    case 'sub-answer-ready': return event.subAnswer.found ? `    ${style.good('→')} ${firstLine(event.subAnswer.answer)}` : style.dim('    → nothing found');
    case 'critique-ready': return event.verdict.verdict === 'keep' ? undefined : style.warn(`    ✗ ${event.verdict.verdict}: ${firstLine(event.verdict.reason)}`);
    case 'step-end': return event.error ? style.warn(`    failed: ${event.error.message}`) : undefined;
    case 'notice': return style.warn(event.message);
    case 'answer-delta':
    case 'answer-end':
    case 'run-end':
    case 'run-error':
    case 'run-cancelled': return undefined;
  }
}

const firstLine = (text: string): string => {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
};
