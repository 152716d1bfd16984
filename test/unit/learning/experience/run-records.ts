import { deriveRecords } from '../../../../src/learning/experience/derive-records.ts';
import type { ExperienceRecord } from '../../../../src/learning/experience/experience-record.ts';
import type { CritiqueVerdict } from '../../../../src/research/domain/answer.ts';
import type {
  AnswerRecord,
  NodeRecord,
  RecordedPassage,
  SplitRecord,
  SentPrompt,
} from '../../../../src/research/context/node-record.ts';

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

/** A call and its reply. */
export const callOf = (content: string, reply: string): SentPrompt => ({
  messages: [
    { role: 'system', content: 'You help.' },
    { role: 'user', content },
  ],
  reply,
});

/** A node about rope, with the calls that read and judged it; `change` overrides. */
export function node(stepId: string, change: Partial<NodeRecord> = {}): NodeRecord {
  const made = bareNode(stepId, change);
  const { subQuestion, reply, verdict, model } = made;
  if (model === null) return made;
  const judged = verdict?.by === 'model' && {
    judged: callOf(`Step: ${subQuestion}`, JSON.stringify({ reason: verdict.reason, verdict: verdict.verdict })),
  };
  return { sent: { read: callOf(subQuestion, reply), ...judged }, ...made };
}

function bareNode(stepId: string, change: Partial<NodeRecord>): NodeRecord {
  return {
    runId: 'run-1',
    time: 1000,
    model: 'm',
    question: 'In which country is rope bought?',
    history: [],
    kind: 'node',
    stepId,
    operator: 'sub-step',
    subQuestion: 'Where is rope bought?',
    passages: [passageOf('rope', 'Rope is bought in Tallinn.'), passageOf('tar', 'Tar is boiled at home.')],
    reply: 'Answer: Tallinn [1]',
    answer: 'Tallinn',
    passageIds: ['rope'],
    verdict: KEEP,
    ...change,
  };
}

/** The end of that run, with the call that judged its answer; `change` overrides. */
export function ending(change: Partial<AnswerRecord> = {}): AnswerRecord {
  const made = bareEnding(change);
  const { question, verdict, model } = made;
  if (model === null || verdict?.by !== 'model') return made;
  const reply = JSON.stringify({ reason: verdict.reason, verdict: verdict.verdict });
  return { sent: callOf(`Question: ${question}\nAnswer: ${made.answer}`, reply), ...made };
}

function bareEnding(change: Partial<AnswerRecord>): AnswerRecord {
  return {
    runId: 'run-1',
    time: 2000,
    model: 'm',
    question: 'In which country is rope bought?',
    history: [{ question: 'Where is rope bought?', answer: 'Tallinn' }],
    kind: 'answer',
    answer: 'Estonia',
    abstained: false,
    unsupportedCount: 0,
    reasons: ['Rope is bought in Tallinn.'],
    passageIds: ['rope'],
    verdict: KEEP,
    ...change,
  };
}

/** The split whose only child is the node of {@link node}, once that has `parentStepId: 's0'`. */
export function split(change: Partial<SplitRecord> = {}): SplitRecord {
  return {
    runId: 'run-1',
    time: 900,
    model: 'm',
    question: 'In which country is rope bought?',
    kind: 'split',
    stepId: 's0',
    subQuestions: ['Where is rope bought?'],
    sent: callOf('In which country is rope bought?', '{"questions":["Where is rope bought?"]}'),
    ...change,
  };
}

/** What so many runs of a step and an answer teach: `run-7` asks `Question 7?`, and before it what `stepOf` says. */
export const taughtBy = (
  runs: number,
  stepOf: (run: number) => string,
  endOf: (run: number) => Partial<AnswerRecord> = (i) => ({ history: [{ question: stepOf(i), answer: 'Tallinn' }] }),
): ExperienceRecord[] =>
  Array.from({ length: runs }, (_, i) => {
    const run = { runId: `run-${i}`, question: `Question ${i}?` };
    return deriveRecords([node('s1', { ...run, subQuestion: stepOf(i) }), ending({ ...run, ...endOf(i) })], {}).records;
  }).flat();
