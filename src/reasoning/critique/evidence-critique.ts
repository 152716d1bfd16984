import type { CritiqueVerdict, SubAnswer } from '../../model/answer.ts';
import { nameForm } from '../../retrieval/text/names.ts';

/** What a critique looks at: one node of RISE. */
export interface CriticisedNode {
  question: string;
  answer: string;
  found: boolean;
  passageIds: readonly string[];
  /** Probability that the node's passages carry an answer to its question; undefined when they were not read that way. */
  answerability?: number;
}

/** Under this, a node's passages have nothing to do with its question; above it, the question may just be hard to read. */
const IRRELEVANT_BELOW = 0.1;
const UNSUPPORTED_BELOW = 0.25;

/**
 * The critique that needs no language model: by what was asked before and by how well the evidence carries the answer.
 * Deliberately slow to reject: what it rejects is rejected for certain.
 */
export function evidenceCritique(node: CriticisedNode, kept: readonly Pick<SubAnswer, 'question' | 'answer' | 'found'>[]): CritiqueVerdict {
  const verdict = (name: CritiqueVerdict['verdict'], reason: string): CritiqueVerdict => ({ verdict: name, reason, by: 'evidence' });
  const asked = nameForm(node.question);
  if (kept.some((earlier) => earlier.found && nameForm(earlier.question) === asked)) return verdict('redundant', 'The same question was answered before in this run.');
  if (node.passageIds.length === 0) return verdict('irrelevant', 'No passage was found for it.');
  if (node.answerability !== undefined && node.answerability < IRRELEVANT_BELOW) return verdict('irrelevant', `Its passages hardly bear on it (${percent(node.answerability)}).`);
  if (!node.found) return verdict('unsupported', 'Its passages were read and give no answer.');
  if (node.answerability !== undefined && node.answerability < UNSUPPORTED_BELOW) return verdict('unsupported', `Its passages hardly carry an answer (${percent(node.answerability)}).`);
  return verdict('keep', node.answerability === undefined ? 'Its passages were found for it.' : `Its passages carry an answer (${percent(node.answerability)}).`);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
