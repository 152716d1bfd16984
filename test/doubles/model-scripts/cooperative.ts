import type { RecordedCall, ScriptedReply } from '../scripted-language-model.ts';
import { BEDS, BORN } from '../relay-corpus.ts';
import { askedIn, numberOfFile, promptKind, type PromptKind } from './prompt-kind.ts';

/** A model that knows how to behave, over the relay corpus. Others are made from it by replacing what they do badly. */
export function cooperative(call: RecordedCall): ScriptedReply {
  const question = askedIn(call);
  const kind = promptKind(call);
  switch (kind) {
    case 'decompose':
      return { json: { questions: decompositions[question] ?? [question] } };
    case 'brief-answer':
    case 'answer':
    case 'outline':
      return answer(call, question, kind);
    case 'thought':
      return thought(call);
    case 'closed-book':
      return /Found so far/.test(call.prompt)
        ? 'Because: The keeper of Kestrel Hut is Mara Lindqvist, who was born in Narvik.\nAnswer: Narvik'
        : 'Because: I remember it.\nAnswer: Oslo';
    case 'critique-node':
    case 'critique-answer':
      return { json: { reason: 'It is what was asked.', verdict: 'keep' } };
    case 'next-sub-question':
      return { json: { question: 'Who is the keeper of Kestrel Hut?' } };
    case 'next-step':
      return { json: nextStep(call, question) };
    case 'classify':
      return { json: { clue: 'who repaired the relay', type: 'inference' } };
    case 'rewrite':
      return 'Where was Mara Lindqvist born?';
    case 'shorten':
      return /Answer: .*(Narvik)/.exec(call.messages.at(-1)?.content ?? '')?.[1] ?? 'none';
    case 'judge':
    case 'judge-soft':
      return { json: { reason: 'They agree.', plan: ['sub-step'], settled: true } };
    case 'affirmative':
    case 'negative':
    case 'fast':
    case 'slow':
    case 'fast-plan':
      return { json: { reason: 'Several notes must be put together.', plan: ['sub-step'] } };
    case 'repair-reply':
      return cooperative({
        ...call,
        messages: call.messages.slice(0, -2),
        prompt: call.messages
          .slice(0, -2)
          .map((message) => message.content)
          .join('\n\n'),
      });
  }
}

const decompositions: Readonly<Record<string, string[]>> = {
  [BORN]: ['Which hut had the relay that failed in March?', 'Who is the keeper of #1?', 'Where was #2 born?'],
  [BEDS]: ['How many beds does Kestrel Hut have?', 'How many beds does Heron Hut have?'],
};

/** The next of the usual sub-questions with what was found in it, as far as the prompt shows it. */
function nextStep(call: RecordedCall, question: string): { enough: boolean; question: string } {
  const said = call.messages.at(-1)?.content ?? '';
  const steps = decompositions[question] ?? [question];
  const filled = steps.map((step) => step.replace('#1', 'Kestrel Hut').replace('#2', 'Mara Lindqvist'));
  const next = filled.find((step) => !said.includes(`- ${step}`));
  return { enough: next === undefined, question: next ?? '' };
}

interface Fact {
  pattern: RegExp;
  file: string;
  short: string;
  because: string;
}

const facts: readonly Fact[] = [
  {
    pattern: /which hut had the relay/i,
    file: 'outage',
    short: 'Kestrel Hut',
    because: 'The relay at Kestrel Hut failed on 4 March 2023',
  },
  {
    pattern: /keeper of kestrel hut/i,
    file: 'kestrel',
    short: 'Mara Lindqvist',
    because: 'The keeper of Kestrel Hut is Mara Lindqvist',
  },
  {
    pattern: /where was mara lindqvist born|in which town/i,
    file: 'mara',
    short: 'Narvik',
    because: 'Mara Lindqvist was born in Narvik',
  },
  { pattern: /beds does kestrel/i, file: 'kestrel', short: '12', because: 'Kestrel Hut has 12 beds' },
  { pattern: /beds does heron/i, file: 'heron', short: '8', because: 'Heron Hut has 8 beds' },
];

function answer(call: RecordedCall, question: string, kind: PromptKind): ScriptedReply {
  if (/more beds/i.test(question)) {
    const [one, other] = [numberOfFile(call, 'kestrel'), numberOfFile(call, 'heron')];
    return one && other
      ? `Answer: yes\nBecause: Kestrel Hut has 12 beds [${one}]. Heron Hut has 8 beds [${other}].`
      : 'Answer: none';
  }
  const fact = facts.find(({ pattern }) => pattern.test(question));
  const number = fact && numberOfFile(call, fact.file);
  if (!fact || number === undefined) return 'Answer: none';
  return kind === 'brief-answer'
    ? `Answer: ${fact.short} [${number}]`
    : `Answer: ${fact.short}\nBecause: ${fact.because} [${number}].`;
}

/** The next fact of the trail that is in sight and not yet said. */
function thought(call: RecordedCall): ScriptedReply {
  for (const { file, because } of facts.slice(0, 3)) {
    const number = numberOfFile(call, file);
    if (number !== undefined && !saidSoFar(call).includes(because)) return `${because} [${number}].`;
  }
  return 'So the answer is: Narvik';
}

const saidSoFar = (call: RecordedCall): string =>
  /Reasoning so far:\n([\s\S]*?)\n\n/.exec(call.messages.at(-1)?.content ?? '')?.[1] ?? '';
