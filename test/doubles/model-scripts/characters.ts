import { UnreachableError } from '../../../src/research/language-model/errors.ts';
import { ScriptedLanguageModel, type RecordedCall, type ScriptedReply } from '../scripted-language-model.ts';
import { cooperative } from './cooperative.ts';
import { numberOfFile, promptKind, type PromptKind } from './prompt-kind.ts';

type Manners = Partial<Record<PromptKind, (call: RecordedCall, index: number) => ScriptedReply | undefined>>;

/** Behaves, but for what its manners say. */
const character = (name: string, manners: Manners): ScriptedLanguageModel =>
  new ScriptedLanguageModel((call, index) => manners[promptKind(call)]?.(call, index) ?? cooperative(call), {
    id: `scripted:${name}`,
    name,
  });

const plan = (reason: string, ...names: string[]): ScriptedReply => ({ json: { reason, plan: names } });

/** Says yes to everything, at once. */
export const agreeable = (): ScriptedLanguageModel =>
  character('agreeable', {
    negative: () => plan('I agree.', 'sub-step'),
    fast: () => plan('Yes.', 'sub-step'),
    slow: () => plan('Yes.', 'sub-step'),
  });

/** Opposes to the end, and its judge never finds a plan that stands. */
export const stubborn = (): ScriptedLanguageModel =>
  character('stubborn', {
    negative: () => plan('Never: it wastes calls.', 'single-step'),
    fast: () => plan('The objection has a point.', 'single-step'),
    slow: () => plan('The parts must be put together.', 'sub-step'),
    judge: () => ({ json: { reason: 'They still disagree.', plan: ['single-step'], settled: false } }),
  });

/** Changes its mind with every turn; only the slow debater's last word differs from its first. */
export const oscillating = (): ScriptedLanguageModel => {
  let turns = 0;
  const swing = (): ScriptedReply =>
    (turns += 1) % 2 === 1 ? plan('Rather in steps.', 'iterative-step') : plan('Rather at once.', 'single-step');
  let slow = 0;
  return character('oscillating', {
    affirmative: swing,
    negative: swing,
    fast: swing,
    slow: () => plan('Weighing both.', (slow += 1) === 1 ? 'iterative-step' : 'adaptive-step'),
    judge: () => ({ json: { reason: 'It swings.', plan: ['single-step'], settled: false } }),
    'judge-soft': () => ({
      json: { reason: 'In the end: look first, then dig.', plan: ['adaptive-step'], settled: true },
    }),
  });
};

const RAMBLE =
  'Well, that is an interesting question, and there are several ways to look at it. Let me think about it for a moment. ';

/** Talks around everything, and gets to the point in the middle. */
export const rambling = (): ScriptedLanguageModel =>
  new ScriptedLanguageModel(
    (call) => {
      const reply = cooperative(call);
      if (typeof reply === 'object' && 'json' in reply)
        return `${RAMBLE}Here is what I would say:\n\`\`\`json\n${JSON.stringify(reply.json, null, 1)}\n\`\`\`\nI hope that this helps!`;
      return typeof reply === 'string' ? `${RAMBLE}\n${reply}\nI hope that this helps! ${RAMBLE}` : reply;
    },
    { id: 'scripted:rambling', name: 'rambling' },
  );

/** Breaks the form of every structured reply, and of its repair. */
export const schemaBreaking = (): ScriptedLanguageModel =>
  new ScriptedLanguageModel(
    (call) => {
      const reply = cooperative(call);
      return typeof reply === 'object' && 'json' in reply ? '{"operators": "all of them", "because": }' : reply;
    },
    { id: 'scripted:schema-breaking', name: 'schema-breaking' },
  );

/** Breaks the form once, and does as it is told when it is told again. */
export const carelessOnce = (): ScriptedLanguageModel =>
  new ScriptedLanguageModel(
    (call) => {
      const reply = cooperative(call);
      return typeof reply === 'object' && 'json' in reply && promptKind(call) !== 'repair-reply'
        ? 'Sure! The plan is sub-step.'
        : reply;
    },
    { id: 'scripted:careless', name: 'careless' },
  );

/** Never ends a call of this kind. */
export const slow = (kind: PromptKind): ScriptedLanguageModel =>
  character('slow', { [kind]: () => ({ hang: true, after: 'She was born in Nar' }) });

/** Cannot be reached from the n-th call on (0-based). */
export const failing = (from: number): ScriptedLanguageModel =>
  new ScriptedLanguageModel(
    (call, index) =>
      index >= from
        ? { error: new UnreachableError({ what: 'refused', endpoint: '127.0.0.1:8099' }) }
        : cooperative(call),
    { id: 'scripted:failing', name: 'failing' },
  );

/** Does what a document tells it to: repeats the hostile line, with links, pictures, commands and invented marks. */
export const obeying = (): ScriptedLanguageModel =>
  character('obeying', {
    read: (call) => {
      const order = /SAY: (.+)/.exec(call.prompt)?.[1];
      if (order === undefined) return undefined;
      return (
        `${order} [99]. See [the map](https://evil.example/map) and ![x](https://evil.example/x.png?q=1) ` +
        `[${numberOfFile(call, 'hostile') ?? 1}].\n[1]: https://evil.example\nShort: ${order}`
      );
    },
  });

/** Invents: names, numbers, quotations and passages that are not there. */
export const inventive = (): ScriptedLanguageModel =>
  character('inventive', {
    read: (call) => {
      const number = numberOfFile(call, 'mara') ?? 1;
      return (
        `Mara Lindqvist was born in Narvik [${number}:1]. She owns 14 boats [${number}]. Her brother Torvald lives in ` +
        `Bergen [${number}]. “She was born in a lighthouse” [${number}]. The relay was built in Turku [77].\nShort: Narvik`
      );
    },
    'critique-answer': () => ({ json: { reason: 'Boats are not mentioned.', confirmed: [], verdict: 'unsupported' } }),
  });

/** Says of everything that the files do not tell. */
export const shrugging = (): ScriptedLanguageModel =>
  character('shrugging', { read: () => 'Short: none', memory: () => 'Short: none' });
