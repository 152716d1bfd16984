import type { CritiqueVerdict } from '../../../../src/research/domain/answer.ts';
import type { AnswerRecord, NodeRecord, RecordedPassage } from '../../../../src/research/run/node-record.ts';

export const passageOf = (id: string, text: string): RecordedPassage => ({
  id,
  path: `notes/${id}.md`,
  startLine: 1,
  endLine: 3,
  title: id,
  text,
});
export const KEEP: CritiqueVerdict = { verdict: 'keep', reason: 'A step forward.', by: 'model' };
export const REDUNDANT: CritiqueVerdict = { verdict: 'redundant', reason: 'Known already.', by: 'model' };

/** A node about rope; `change` overrides. */
export function node(stepId: string, change: Partial<NodeRecord> = {}): NodeRecord {
  return {
    version: 1,
    runId: 'run-1',
    time: 1000,
    model: 'm',
    question: 'In which country is rope bought?',
    history: [],
    kind: 'node',
    stepId,
    operator: 'sub-step',
    subQuestion: 'Where is rope bought?',
    query: 'rope bought',
    passages: [passageOf('rope', 'Rope is bought in Tallinn.'), passageOf('tar', 'Tar is boiled at home.')],
    reply: 'Answer: Tallinn [1]',
    answer: 'Tallinn',
    passageIds: ['rope'],
    verdict: KEEP,
    inputTokens: 10,
    outputTokens: 2,
    estimated: false,
    ...change,
  };
}

export function ending(change: Partial<AnswerRecord> = {}): AnswerRecord {
  return {
    version: 1,
    runId: 'run-1',
    time: 2000,
    model: 'm',
    question: 'In which country is rope bought?',
    history: [{ question: 'Where is rope bought?', answer: 'Tallinn' }],
    kind: 'answer',
    answer: 'Estonia',
    abstained: false,
    unsupportedCount: 0,
    verdict: KEEP,
    ...change,
  };
}
