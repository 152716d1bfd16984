import type { ErrorReport } from '#base';
import type { Translate } from '#search';
import { inEnglish } from '#search/notices';

type Words = (t: Translate) => string;

/** What happened, by the code of the error. Codes that are not listed are told in the error's own words. */
const words: Readonly<Record<string, Words>> = {
  'no-model': (t) => t('No language model is chosen.'),
  'model-unreachable': (t) => t('The language model can’t be reached.'),
  'wrong-key': (t) => t('The API key is missing or isn’t accepted.'),
  'model-consent': (t) => t('Hoptrail isn’t allowed to use this model yet.'),
  'model-quota': (t) => t('The model accepts no more requests for now.'),
  'context-too-long': (t) => t('The question and its passages are too long for this model.'),
  'model-refused': (t) => t('The model declined to answer.'),
  'model-timeout': (t) => t('The model took too long to answer.'),
  'model-bad-request': (t) => t('The model rejects the request.'),
  'model-bad-reply': (t) => t('The model’s reply can’t be used.'),
  'budget-exhausted': (t) => t('The limit for one question is used up.'),
  'endpoint-redirected': (t) => t('The address redirects elsewhere, so nothing was sent.'),
  'embedding-endpoint-failed': (t) => t('The embedding model can’t be used.'),
  'index-damaged': (t) => t('The index is damaged.'),
  'disk-full': (t) => t('The disk that holds the index is full.'),
  'index-not-writable': (t) => t('The index can’t be written.'),
  'index-busy': (t) => t('Another window is writing this index.'),
  'index-other-roots': (t) => t('This index was made for another folder or embedding model.'),
  'index-process-crashed': (t) => t('The index process has stopped.'),
  'root-unreadable': (t) => t('A folder of this workspace can’t be read.'),
  'storage-failed': (t) => t('The index storage failed.'),
  'thread-store': (t) => t('This thread can’t be read or saved.'),
  'cannot-ask': (t) => t('This question can’t be asked right now.'),
  'fine-tuning': (t) => t('Fine-tuning failed.'),
  'learning-file': (t) => t('What was learned can’t be read.'),
};

/** Codes of the same kind of trouble. */
const SAME: Readonly<Record<string, string>> = {
  'model-nonsense': 'model-bad-reply',
  'model-empty-reply': 'model-bad-reply',
  'reply-too-long': 'model-bad-reply',
  'embedding-model-unusable': 'embedding-endpoint-failed',
  'embedding-dimension-changed': 'embedding-endpoint-failed',
  'index-failing': 'index-damaged',
  'storage-read-only': 'index-not-writable',
  'index-place': 'index-not-writable',
  'index-other-embedder': 'index-other-roots',
  'index-process-reply': 'index-process-crashed',
  'index-process-unavailable': 'index-process-crashed',
  'root-emptied': 'root-unreadable',
  'no-such-folder': 'root-unreadable',
};

/**
 * The error in the language of `t`. Errors are written in English, with values; in another language a sentence for
 * their code leads, and the error's own words follow as its detail.
 */
export function errorInWords(error: ErrorReport, t: Translate): ErrorReport {
  const say = words[SAME[error.code] ?? error.code];
  if (!say || say(t) === say(inEnglish)) return error;
  return { ...error, message: say(t), advice: error.message };
}

/** What happened and what to do about it, in one text in the language of `t`. */
export function errorInOneText(error: ErrorReport, t: Translate): string {
  const { message, advice } = errorInWords(error, t);
  return [message, advice].filter((part) => part !== undefined).join(' ');
}
