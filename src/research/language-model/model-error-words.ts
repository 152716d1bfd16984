import type { ErrorReport } from '#base';
import type { Translate } from '#search';

/** Values that the words of a model's error are made of; `what` tells apart errors that share a code. */
export type ModelErrorDetails = Readonly<Record<string, string | number>>;

interface Words {
  message: string;
  advice: string;
}

type Making = (t: Translate, value: (name: string) => string) => Words;

const checkAddress = (t: Translate): string => t('Check the address; most servers want it to end in /v1.');
const isRunning = (t: Translate): string => t('Is the server running, and is its address right?');
const trySmaller = (t: Translate): string =>
  t('Choose a model that thinks less, or turn its thinking off where it is served.');

/** By the code of the error, or by code and `what`. */
const making: Readonly<Record<string, Making>> = {
  'no-model': (t) => ({
    message: t('No language model is chosen.'),
    advice: t('Choose a model, or go on with answers made of quotes.'),
  }),
  'no-model unknown': (t, value) => ({
    message: t('{0} has no model "{1}" (or its address lacks /v1).', value('endpoint'), value('model')),
    advice: t('Choose a model, or go on with answers made of quotes.'),
  }),
  'no-model gone': (t, value) => ({
    message: t('{0} is no longer offered in this editor.', value('model')),
    advice: t('Choose a model, or go on with answers made of quotes.'),
  }),
  'wrong-key': (t, value) => ({
    message: t('{0} does not accept the stored API key.', value('endpoint')),
    advice: setKey(t),
  }),
  'wrong-key missing': (t, value) => ({
    message: t('{0} asks for an API key and none is stored.', value('endpoint')),
    advice: setKey(t),
  }),
  'model-consent': (t, value) => ({
    message: t('Hoptrail may not use {0}: access was not granted.', value('model')),
    advice: t('Ask again and allow access, or choose another model.'),
  }),
  'model-quota': (t, value) => ({
    message: t('{0} refused the call: too many requests.', value('provider')),
    advice: t('Wait a little, or choose another model.'),
  }),
  'model-quota later': (t, value) => ({
    message: t('{0} refused the call: too many requests.', value('provider')),
    advice: t('Try again in {0} s, or choose another model.', value('seconds')),
  }),
  'model-quota spent': (t, value) => ({
    message: t('{0} refused the call: the quota of this account is used up.', value('provider')),
    advice: t('Wait a little, or choose another model.'),
  }),
  'context-too-long': (t, value) => ({
    message: t('The question and its passages are too long for {0}.', value('model')),
    advice: setWindow(t),
  }),
  'context-too-long counted': (t, value) => ({
    message: t(
      'The question and its passages are too long for {0} (about {1} tokens, it takes {2}).',
      value('model'),
      value('tokens'),
      value('contextTokens'),
    ),
    advice: setWindow(t),
  }),
  'model-refused': (t, value) => ({
    message: t('{0} declined to answer: {1}', value('model'), value('reason')),
    advice: t('Ask in other words, or choose another model.'),
  }),
  'model-refused filter': (t, value) => ({
    message: t('The content filter of {0} stopped the reply.', value('model')),
    advice: t('Ask in other words, or choose another model.'),
  }),
  'model-nonsense': (t, value) => ({
    message: t('{0} says nothing that can be read.', value('model')),
    advice: damaged(t),
  }),
  'model-nonsense repeated': (t, value) => ({
    message: t('{0} says nothing that can be read: “{1}”, over and over.', value('model'), value('sample')),
    advice: damaged(t),
  }),
  'model-empty-reply silent': (t, value) => ({
    message: t('{0} sent an empty reply.', value('model')),
    advice: t('Try again, or choose another model.'),
  }),
  'model-empty-reply tool': (t, value) => ({
    message: t('{0} called a tool and wrote no answer.', value('model')),
    advice: t('Try again, or choose another model.'),
  }),
  'model-empty-reply thoughts': (t, value) => ({
    message: t('{0} thought for {1} tokens and came to no word of an answer.', value('model'), value('tokens')),
    advice: trySmaller(t),
  }),
  'model-without-tools': (t, value) => ({
    message: t('{0} takes no tools.', value('model')),
    advice: t('Choose another model, or look at the log for what was sent.'),
  }),
  'model-bad-request': (t, value) => ({
    message: t('{0} rejects the request: {1}', value('model'), value('reason')),
    advice: t('Choose another model, or look at the log for what was sent.'),
  }),
  'model-timeout': (t, value) => ({
    message: t('{0} did not finish within {1} s.', value('model'), value('seconds')),
    advice: t('Try again, choose a faster model, or raise hoptrail.budget.'),
  }),
  'model-timeout silent': (t, value) => ({
    message: t('{0} sent nothing for {1} s.', value('model'), value('seconds')),
    advice: t('The server is busy or the model too slow for this machine: choose a smaller one.'),
  }),
  'model-bad-reply': (t, value) => ({
    message: t('{0} did not give a usable {1}: {2}', value('model'), value('form'), value('problem')),
    advice: t('Small models often break the form of a reply: try again or choose a larger one.'),
  }),
  'model-unreachable refused': (t, value) => ({
    message: t('Nothing answers at {0}.', value('endpoint')),
    advice: isRunning(t),
  }),
  'model-unreachable unknown-host': (t, value) => ({
    message: t('{0} is not known to this network.', value('endpoint')),
    advice: isRunning(t),
  }),
  'model-unreachable proxy': (t, value) => ({
    message: t('{0} cannot be reached through the proxy {1}: {2}', value('endpoint'), value('proxy'), value('reason')),
    advice: t('Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or http.proxy in the settings.'),
  }),
  'model-unreachable certificate': (t, value) => ({
    message: t('The certificate of {0} is not accepted.', value('endpoint')),
    advice: t('See http.systemCertificates and http.proxyStrictSSL.'),
  }),
  'model-unreachable plain': (t, value) => ({
    message: t('{0} does not speak HTTPS.', value('endpoint')),
    advice: t('Begin the address with http:// instead of https://.'),
  }),
  'model-unreachable encrypted': (t, value) => ({
    message: t('{0} speaks HTTPS only.', value('endpoint')),
    advice: t('Begin the address with https:// instead of http://.'),
  }),
  'model-unreachable broke': (t, value) => ({
    message: t('The connection to {0} broke.', value('endpoint')),
    advice: isRunning(t),
  }),
  'model-unreachable inside': (t, value) => ({
    message: said(t('{0} failed inside (status {1})', value('endpoint'), value('status')), value('said')),
    advice: t('Try again in a while; the trouble is at the server.'),
  }),
  'model-unreachable broke-off': (t, value) => ({
    message: said(t('{0} broke off its reply', value('endpoint')), value('said')),
    advice: t('Try again in a while; the trouble is at the server.'),
  }),
  'model-unreachable not-an-endpoint': (t, value) => ({
    message: t('{0} answers with {1}: this is no model endpoint.', value('endpoint'), value('type')),
    advice: checkAddress(t),
  }),
  'model-unreachable no-completion': (t, value) => ({
    message: t('{0} sent something that is no reply of a model.', value('endpoint')),
    advice: checkAddress(t),
  }),
  'model-unreachable no-list': (t, value) => ({
    message: t('{0} has no list of models.', value('endpoint')),
    advice: checkAddress(t),
  }),
  'model-unreachable no-address': (t, value) => ({
    message: t('"{0}" is no http address of a model endpoint.', value('endpoint')),
    advice: t('Give it in full, such as http://localhost:11434/v1.'),
  }),
  'model-unreachable editor': (t, value) => ({
    message: t('{0} cannot be reached: {1}', value('model'), value('reason')),
    advice: t('Check the network and the extension that offers this model.'),
  }),
};

const setKey = (t: Translate): string =>
  t(
    'Set the key again: in VS Code by Hoptrail: Choose Model (it is kept in the secret storage), on the ' +
      'command line in HOPTRAIL_API_KEY.',
  );
const setWindow = (t: Translate): string =>
  t('Set hoptrail.model.contextTokens to what the model takes, or choose a model with a longer context.');
const damaged = (t: Translate): string =>
  t('Its file may be damaged, or its server may give it prompts of another form: choose another model.');

/** What happened, with what the server said of it, as a sentence: others may follow. */
function said(what: string, words: string): string {
  if (words.trim() === '') return `${what}.`;
  return /[.!?…。]$/u.test(words.trimEnd()) ? `${what}: ${words}` : `${what}: ${words}.`;
}

/** The words of a model's error in the language of `t`; undefined where the code is none of a model's. */
export function modelErrorInWords(
  { code, details = {} }: Pick<ErrorReport, 'code' | 'details'>,
  t: Translate,
): Words | undefined {
  const { what } = details;
  const make = (typeof what === 'string' && making[`${code} ${what}`]) || making[code];
  return make?.(t, (name) => String(details[name] ?? ''));
}
