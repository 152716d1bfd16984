import type { ChatMessage } from '../../../src/research/language-model/language-model.ts';
import { nameForm } from '../../../src/search/text/names.ts';
import type { FakeReply, FakeRequest } from '../fake-openai-server.ts';
import type { RecordedCall } from '../scripted-language-model.ts';
import { askedIn, promptKind } from './prompt-kind.ts';

/** A question that it has written, and how it comes to the answer: one note names the other, which holds it. */
interface Exam {
  question: string;
  answer: string;
  steps: readonly [Step, Step];
}

interface Step {
  question: string;
  answer: string;
  /** Sentence that says it, on one line. */
  said: string;
  file: string;
}

interface Shown {
  number: number;
  file: string;
  /** On one line. */
  text: string;
}

const onOneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** The passages of the last message: those before it stand in an example. */
const shownIn = (messages: readonly ChatMessage[]): Shown[] =>
  [
    ...(messages.at(-1)?.content ?? '').matchAll(
      /<passage number="(\d+)" file="([^"]*)"[^>]*>\n([\s\S]*?)\n<\/passage>/gu,
    ),
  ].map(([, number, file, text]) => ({ number: Number(number), file: file ?? '', text: onOneLine(text ?? '') }));

/** Sentences, items of lists and cells. */
const partsOf = (text: string): string[] => text.split(/(?<=[.!?])\s|\s[#|-]+\s/u);

/** A gap's word in prose: it is in no other sentence that is shown, and long enough to be told from others. */
function gapIn(sentence: string, other: string): string | undefined {
  const words = sentence.match(/\p{L}{4,}/gu) ?? [];
  return words.sort((a, b) => b.length - a.length).find((word) => !other.toLowerCase().includes(word.toLowerCase()));
}

/** An exam over two passages of which the first names the second; undefined where none can be made. */
function examOver(prompt: string, [from, to]: readonly Shown[]): Exam | undefined {
  const names = [...(/never write (.+?)\. Answer it/u.exec(prompt)?.[1] ?? '').matchAll(/"([^"]+)"/gu)].map(
    ([, name]) => name ?? '',
  );
  if (!from || !to) return undefined;
  const isFree = (text: string): boolean => !names.some((name) => ` ${nameForm(text)} `.includes(` ${name} `));
  const link = names
    .map((name) => new RegExp(name.split(' ').join('[\\s/_-]+'), 'iu').exec(from.text)?.[0])
    .find((found) => found !== undefined);
  const naming = partsOf(from.text).find((sentence) => link !== undefined && sentence.includes(link));
  const stem = from.file.replace(/^.*\/|\.md$/gu, '').replaceAll('-', ' ');
  if (link === undefined || naming === undefined || !isFree(stem)) return undefined;
  for (const said of partsOf(to.text)) {
    const answer = /[#|[\]:*`_]/u.test(said) || !isFree(said) ? undefined : gapIn(said, from.text);
    if (answer === undefined || said.split(' ').length < 5) continue;
    const gap = said.replace(answer, '…').replace(/[.!?]$/u, '');
    return {
      question: `What fills the gap in this, in the note that ${stem} points at: ${gap}?`,
      answer,
      steps: [
        { question: `Which note does ${stem} point at?`, answer: link, said: naming, file: from.file },
        { question: `What fills the gap in this: ${gap}?`, answer, said, file: to.file },
      ],
    };
  }
  return undefined;
}

const split = (questions: readonly string[]): string => JSON.stringify({ questions });

/**
 * A model that writes exam questions over any notes and passes its own exams. It splits what it did not write itself
 * only where it is shown how such a question was split before.
 */
export function selfTeacher(): (request: FakeRequest) => FakeReply {
  const exams = new Map<string, Exam>();
  const stepCalled = (question: string): Step | undefined =>
    [...exams.values()].flatMap(({ steps }) => steps).find((step) => step.question === question);

  function write(prompt: string, shown: readonly Shown[]): string {
    const exam = examOver(prompt, shown);
    if (!exam || exams.has(exam.question)) return JSON.stringify({ question: '', answer: '' });
    exams.set(exam.question, exam);
    return JSON.stringify({ question: exam.question, answer: exam.answer });
  }

  /** The next step that is neither answered nor tried. */
  function next({ steps }: Exam, prompt: string): string {
    const open = steps.find(({ question }) => !prompt.includes(`- ${question}`));
    return JSON.stringify({ enough: open === undefined, question: open?.question ?? '' });
  }

  function decompose(messages: readonly ChatMessage[], asked: string): string {
    const exam = exams.get(asked);
    if (exam) return split(exam.steps.map(({ question }) => question));
    const thing = /^Who wed the builder of (.+)\?$/u.exec(asked)?.[1];
    const isShown = messages.slice(0, -1).some(({ content }) => content.startsWith('Who wed the builder of '));
    return split(thing !== undefined && isShown ? [`Who built ${thing}?`, 'Who wed #1?'] : [asked]);
  }

  function say(messages: readonly ChatMessage[]): string {
    const call: RecordedCall = { messages, options: {}, prompt: messages.map(({ content }) => content).join('\n\n') };
    const last = messages.at(-1)?.content ?? '';
    const shown = shownIn(messages);
    if (call.prompt.includes('You write exam questions')) return write(last, shown);
    const asked = askedIn(call);
    const exam = exams.get(asked);
    const holding = ({ file, said }: Step): Shown | undefined =>
      shown.find((passage) => passage.file === file && passage.text.includes(said));
    switch (promptKind(call)) {
      case 'next-step':
        return exam ? next(exam, last) : JSON.stringify({ enough: true, question: '' });
      case 'brief-answer': {
        const step = stepCalled(asked);
        const found = step && holding(step);
        if (found) return `Answer: ${step.answer} [${found.number}]`;
        // The check of a written question: both notes are needed.
        const [first, second] = exam?.steps.map(holding) ?? [];
        return first && second ? `Answer: ${exam?.answer} [${second.number}]` : 'Answer: none';
      }
      case 'answer': {
        const step = exam?.steps[1];
        const found = step && holding(step);
        return found
          ? `Because: ${step.said.replace(/[.!?]$/u, '')} [${found.number}].\nAnswer: ${step.answer}`
          : 'Answer: none';
      }
      case 'decompose':
        return decompose(messages, asked);
      case 'critique-node':
      case 'critique-answer':
        return JSON.stringify({ reason: 'Its passage says so.', verdict: 'keep' });
      case 'shorten':
        return exam?.answer ?? stepCalled(asked)?.answer ?? 'none';
      default:
        return 'Answer: none';
    }
  }

  return ({ body }) => ({ kind: 'stream', text: say(body['messages'] as ChatMessage[]) });
}
