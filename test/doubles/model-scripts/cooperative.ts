import type { RecordedCall, ScriptedReply } from '../scripted-language-model.ts';
import { BEDS, BORN } from '../relay-corpus.ts';
import { askedIn, type Fact, promptKind, readBy } from './prompt-kind.ts';

const decompositions: Readonly<Record<string, string[]>> = {
  [BORN]: ['Which hut had the relay that failed in March?', 'Who is the keeper of #1?', 'Where was #2 born?'],
  [BEDS]: ['How many beds does Kestrel Hut have?', 'How many beds does Heron Hut have?'],
};

const hut: Fact = {
  asked: /which hut had the relay/i,
  file: 'outage',
  short: 'Kestrel Hut',
  because: 'The relay at Kestrel Hut failed on 4 March 2023',
};
const keeper: Fact = {
  asked: /keeper of kestrel hut/i,
  file: 'kestrel',
  short: 'Mara Lindqvist',
  because: 'The keeper of Kestrel Hut is Mara Lindqvist',
};
const birth: Fact = {
  asked: /where was mara lindqvist born/i,
  file: 'mara',
  short: 'Narvik',
  because: 'Mara Lindqvist was born in Narvik',
};
const beds: readonly Fact[] = [
  { asked: /beds does kestrel/i, file: 'kestrel', short: '12', because: 'Kestrel Hut has 12 beds' },
  { asked: /beds does heron/i, file: 'heron', short: '8', because: 'Heron Hut has 8 beds' },
];

/** A model that knows how to behave, over the relay corpus. Others are made from it by replacing what they do badly. */
export function cooperative(call: RecordedCall): ScriptedReply {
  const question = askedIn(call);
  switch (promptKind(call)) {
    case 'read':
      return read(call, question);
    case 'memory':
      return 'I remember that it was Oslo.\nShort: Oslo';
    case 'decompose':
      return { json: { subQuestions: decompositions[question] ?? [question] } };
    case 'critique-node':
      return { json: { reason: 'It is what was asked.', verdict: 'keep' } };
    case 'critique-answer':
      return { json: { reason: 'It follows.', confirmed: [1, 2, 3], verdict: 'keep' } };
    case 'next-step':
      return { json: nextStep(call, question) };
    case 'classify':
      return { json: { clue: 'who repaired the relay', type: 'inference' } };
    case 'rewrite':
      return { json: { question: 'Where was Mara Lindqvist born?' } };
    case 'judge':
    case 'judge-soft':
      return { json: { reason: 'They agree.', plan: ['sub-step'], settled: true } };
    case 'affirmative':
    case 'negative':
    case 'fast':
    case 'slow':
    case 'plan':
      return {
        json: {
          type: 'inference',
          reason: 'Several notes must be put together.',
          plan: ['sub-step'],
          subQuestions: decompositions[question] ?? [],
          queries: ['keeper of the hut'],
        },
      };
    case 'repair-reply': {
      const messages = call.messages.slice(0, -2);
      return cooperative({ ...call, messages, prompt: messages.map(({ content }) => content).join('\n\n') });
    }
  }
}

/** The next of the usual sub-questions with what was found in it, as far as the prompt shows it. */
function nextStep(call: RecordedCall, question: string): { enough: boolean; question: string } {
  const said = call.messages.at(-1)?.content ?? '';
  const steps = decompositions[question] ?? [question];
  const filled = steps.map((step) => step.replace('#1', 'Kestrel Hut').replace('#2', 'Mara Lindqvist'));
  const next = filled.find((step) => !said.includes(`- ${step}`));
  return { enough: next === undefined, question: next ?? '' };
}

function read(call: RecordedCall, question: string): string {
  if (question === BORN) return readBy(call, [hut, keeper, birth]);
  if (question === BEDS)
    return readBy(call, [...beds, { ...(beds[0] as Fact), because: 'Kestrel Hut has more beds', short: 'yes' }]);
  const fact = [hut, keeper, birth, ...beds].find(({ asked }) => asked.test(question));
  return readBy(call, fact ? [fact] : []);
}
