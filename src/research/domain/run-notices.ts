import { inEnglish, type Translate } from '#search/notices';
import type { OperatorName } from './plan.ts';

/** What is wrong with a plan: an operator twice, no look into the files, or a thought before one. */
export type PlanProblem =
  { code: 'twice' | 'looks-nothing-up'; operator?: undefined } | { code: 'thinks-first'; operator: OperatorName };

type Words = typeof words;
export type RunNoticeCode = keyof Words;

/** One thing that people are told of a run that is no error; whoever shows it makes words of it. */
export type RunNotice<Code extends RunNoticeCode = RunNoticeCode> = {
  [C in Code]: { code: C; details: Parameters<Words[C]>[1] };
}[Code];

/** The same as an earlier version kept it: in English. Nothing writes it any more. */
export interface KeptNotice {
  code: string;
  message: string;
}

/** Puts what an error or a critique said into the language of people; what is not known stays as it is. */
type Foreign = (said: string) => string;
type Say = (t: Translate, details: never, foreign: Foreign) => string;

/** A notice in words; '' for one that only another version knows. `foreign` translates what errors said. */
export function runNoticeInWords(
  notice: RunNotice | KeptNotice,
  t: Translate = inEnglish,
  foreign: Foreign = (said) => said,
): string {
  if ('message' in notice) return notice.message;
  const say = words[notice.code] as Say | undefined;
  return say?.(t, notice.details as never, foreign) ?? '';
}

type Nothing = Record<string, never>;
interface Said {
  said: string;
}

/** The words of each notice, and with their second argument what is known of it. */
const words = {
  'question-cut': (t, { most, characters }: { most: number; characters: number }) =>
    t(
      'Only the first {0} characters of the question are looked at; it has {1}.',
      most.toLocaleString('en'),
      characters.toLocaleString('en'),
    ),
  'not-rewritten': (t, { said }: Said, foreign) =>
    t('The question could not be rewritten to stand alone: {0}', foreign(said)),
  'not-classified': (t, { said }: Said, foreign) => t('The question could not be classified: {0}', foreign(said)),
  'awaits-index': (t, _: Nothing) => t('Files were being read for the first time: that was waited for.'),
  /** `share`: per cent of them that have a vector. */
  'still-indexing': (t, { passages, share }: { passages: number; share: number }) =>
    passages === 0
      ? t('Files are still being read: nothing can be searched yet.')
      : t(
          'The index is not complete: {0} passages can be searched by words, {1} % of them by meaning.',
          passages,
          share,
        ),
  'no-strategy': (t, { said }: Said, foreign) => t('No strategy could be chosen: {0}', foreign(said)),
  'no-examples': (t, { said }: Said, foreign) => t('Examples of earlier runs could not be read: {0}', foreign(said)),
  'plan-repaired': (t, { problem }: { problem: PlanProblem }) =>
    `${t('The proposed plan was repaired:')} ${planProblemInWords(problem, t)}`,
  /** `problem` of the plan that was proposed; none: no usable plan was, and what an error `said` of it. */
  'plan-replaced': (t, { problem, said }: { problem?: PlanProblem; said?: string }, foreign) =>
    [
      problem ? t('The proposed plan made no sense:') : t('The model proposed no usable plan.'),
      ...(problem ? [planProblemInWords(problem, t)] : []),
      ...(said === undefined ? [] : [ended(foreign(said))]),
      t('The usual plan for this type of question is used.'),
    ].join(' '),
  /** Whether several sub-questions were wanted of the model, or the next one. */
  'not-decomposed': (t, { several }: { several: boolean }) =>
    several
      ? t('The model gave no usable sub-questions: the question is looked up as a whole.')
      : t('The model gave no usable sub-question: the question is looked up as a whole.'),
  'from-memory': (t, _: Nothing) => t('This step answers from the language model’s memory: no file was read for it.'),
  'step-failed': (t, { said }: Said, foreign) => t('A step failed and the plan goes on without it: {0}', foreign(said)),
  'nodes-used': (t, { nodes }: { nodes: number }) => t('All {0} steps that a question may take are used.', nodes),
  'agent-failed': (t, { agent }: { agent: string }) =>
    t('One of the ways to answer ("{0}") failed; the others voted without it.', agent),
  /** `left` of so many passages were left out, `onTrail` of them hops. `note`: what the server said of its window. */
  'context-cut': (
    t,
    { tokens, left, of, onTrail, note }: { tokens: number; left: number; of: number; onTrail?: number; note?: string },
  ) => {
    const out =
      onTrail === undefined
        ? t('left out {0} of {1} passages', left, of)
        : onTrail === 0
          ? t('left out {0} of {1} passages, none of them on the trail', left, of)
          : t('left out {0} of {1} passages, {2} of them on the trail', left, of, onTrail);
    const most = tokens.toLocaleString('en');
    const sentence = t("To fit the model's context window of {0} tokens, Hoptrail {1}.", most, out);
    return note === undefined ? sentence : `${sentence} ${note}`;
  },
  'model-silent': (t, { model, seconds, thinks }: { model: string; seconds: number; thinks: boolean }) =>
    thinks
      ? t('No word yet from {0}: it has been thinking for {1} seconds.', model, seconds)
      : t('No word yet from {0}: it has sent nothing for {1} seconds.', model, seconds),
  'model-failed': (t, { said }: Said, foreign) =>
    t('The language model failed: {0} The answer is made of what was found without it.', foreign(said)),
  'budget-exhausted': (t, { said }: Said, foreign) =>
    `${foreign(said)} ${t('The answer is made of what was found until then.')}`,
  /** `places`: at most three, `path:line`; `more`: how many there are besides. */
  'speaks-to-model': (t, { places, more }: { places: string[]; more: number }) => {
    const where = [places.join(', '), ...(more > 0 ? [t('and {0} more', more)] : [])].join(' ');
    const tries =
      places.length === 1
        ? t('{0} holds text that tries to give a language model orders.', where)
        : t('{0} hold text that tries to give a language model orders.', where);
    return `${tries} ${t('It was treated as text.')}`;
  },
  'absent-words': (t, { words: absent, part }: { words: string[]; part: boolean }) => {
    const listed = absent.map(quoted).join(', ');
    if (absent.length === 1)
      return part
        ? t('Nothing that was looked at has this word of the question: {0}.', listed)
        : t('No file has this word of the question: {0}.', listed);
    return part
      ? t('Nothing that was looked at has these words of the question: {0}.', listed)
      : t('No file has these words of the question: {0}.', listed);
  },
  /** `reason` of the last critique, which may be a language model's. */
  'answer-doubted': (t, { irrelevant, reason }: { irrelevant: boolean; reason: string }, foreign) =>
    irrelevant
      ? t('A last look at the answer found it irrelevant: {0}', foreign(reason))
      : t('A last look at the answer found it unsupported: {0}', foreign(reason)),
} satisfies Record<string, Say>;

export function planProblemInWords({ code, operator }: PlanProblem, t: Translate = inEnglish): string {
  switch (code) {
    case 'twice':
      return t('The plan uses an operator twice: the second time would find what the first found.');
    case 'looks-nothing-up':
      return t('The plan looks nothing up: the answer must come from the files.');
    case 'thinks-first':
      return t('The plan thinks before anything was looked up: {0} must come after.', operator);
  }
}

const quoted = (name: string): string => `“${name}”`;

/** With a full stop, unless it ends as a sentence does, in whichever language. */
const ended = (said: string): string => (/[.!?。！？]$/u.test(said) ? said : `${said}.`);
