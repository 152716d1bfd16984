import type { OperatorName } from '../../model/plan.ts';

/** What a debater is told about an operator: what it does, when it is good, what it costs in calls (measured by the runs' own counts). */
interface OperatorNote {
  does: string;
  goodFor: string;
  calls: string;
}

const NOTES: Readonly<Record<OperatorName, OperatorNote>> = {
  'chain-of-thought': { does: 'think, look nothing up', goodFor: 'drawing the conclusion from what earlier steps found', calls: '1 call' },
  'single-step': { does: 'look the whole question up once', goodFor: 'a fact that stands in one place', calls: '1 call' },
  'iterative-step': { does: 'think a sentence, look it up, think on', goodFor: 'a trail whose next stop is only known on the way', calls: '2 to 5 calls' },
  'sub-step': { does: 'split into sub-questions, look each up, put together', goodFor: 'comparisons, times, several known parts', calls: '3 to 6 calls' },
  'adaptive-step': { does: 'look once, dig deeper only if that is not enough', goodFor: 'questions that may be easy', calls: '1 to 6 calls' },
  extractive: { does: 'quote the best passages', goodFor: 'showing the evidence', calls: 'no call' },
};

/** The operators that may be used, one line each. */
export const operatorGuide = (names: readonly OperatorName[]): string => names.map((name) => `- ${name}: ${NOTES[name].does}. Good for ${NOTES[name].goodFor}. Costs ${NOTES[name].calls}.`).join('\n');

/** What a step is for when nobody said. */
export const defaultPurpose = (name: OperatorName): string => `${NOTES[name].does.charAt(0).toUpperCase()}${NOTES[name].does.slice(1)}.`;
