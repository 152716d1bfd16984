import type { RunState } from './run-state.ts';

/** Text that speaks to a model and not to a reader. Only told, never acted upon: passages are data whether they match or not. */
const SIGNS = [
  /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|your|the)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules|directions|messages?)\b/iu,
  /\byou are (?:now|no longer)\b[^.\n]{0,60}\b(?:assistant|model|ai|bot|mode)\b/iu,
  /<\|?(?:im_start|im_end|system|endoftext)\|?>|\[\/?INST\]/iu,
  /\b(?:system|developer) (?:prompt|message|instruction)s?\s*[:=]/iu,
  /\b(?:ai|language model|assistant|llm|chatbot)s?\b[^.\n]{0,30}\b(?:must|should|shall|please|has to|have to)\b[^.\n]{0,40}\b(?:reply|respond|answer|say|output|print|include|click|open|run|execute|send)\b/iu,
];

/** Tells people of passages that try to instruct the model. */
export function noticeInjection(run: RunState): void {
  const paths = new Set(run.ledger.all.filter((passage) => SIGNS.some((sign) => sign.test(passage.text))).map((passage) => `${passage.path}:${passage.startLine}`));
  if (paths.size === 0) return;
  const shown = [...paths].slice(0, 3).join(', ');
  run.notice('speaks-to-model', `${shown}${paths.size > 3 ? ` and ${paths.size - 3} more` : ''} ${paths.size === 1 ? 'holds' : 'hold'} text that tries to give a language model orders. It was treated as text.`);
}
