import type { Answer, SubAnswer } from '../domain/answer.ts';
import type { IndexCoverage, Passage, PassageChain } from '#search';
import { inlineText, nameOfPassage } from './passage-lines.ts';

/** Nearest passages shown with a refusal. */
const NEAREST = 3;

export interface Abstention {
  /** One sentence: why. */
  reason: string;
  /** Passages that came nearest, best first. */
  nearest: readonly Passage[];
  chain: PassageChain;
  coverage: IndexCoverage;
  subAnswers: readonly SubAnswer[];
  by: Answer['by'];
  /** Statements that the citation check removed before nothing was left. */
  unsupportedCount?: number;
}

/** "Not in this workspace", with where it would most likely stand. */
export function abstainedAnswer(abstention: Abstention): Answer {
  const nearest = abstention.nearest.slice(0, NEAREST);
  const list = nearest.map((passage, i) => `- ${inlineText(nameOfPassage(passage))} [${i + 1}]`);
  const passages = new Map(
    [...nearest, ...abstention.chain.hops.map((hop) => hop.passage)].map((passage) => [passage.id, passage]),
  );
  return {
    text: [
      'Nothing in this workspace answers that.',
      ...(list.length > 0 ? ['', 'The nearest passages:', '', ...list] : []),
    ].join('\n'),
    short: '',
    abstained: true,
    abstainReason: abstention.reason,
    statements: [],
    citations: nearest.map((passage, i) => ({
      number: i + 1,
      passageId: passage.id,
      startLine: passage.startLine,
      endLine: passage.endLine,
    })),
    passages: [...passages.values()],
    chain: abstention.chain,
    subAnswers: [...abstention.subAnswers],
    unsupportedCount: abstention.unsupportedCount ?? 0,
    conflicts: [],
    by: abstention.by,
    coverage: abstention.coverage,
  };
}
