import type { ErrorReport } from '#base';
import type { Translate } from '#search';

/** Values that the words of a model's error are made of; `what` tells apart errors that share a code. */
export type ModelErrorDetails = Readonly<Record<string, string | number>>;

interface Words {
  message: string;
  advice: string;
}

type Text = (t: Translate, value: (name: string) => string) => string;

const pickOrQuote: Text = (t) => t('Choose a model, or go on with answers made of quotes.');
const setKey: Text = (t) =>
  t(
    'Set the key again: in VS Code by Hoptrail: Choose Model (it is kept in the secret storage), on the ' +
      'command line in HOPTRAIL_API_KEY.',
  );
const setWindow: Text = (t) =>
  t('Set hoptrail.model.contextTokens to what the model takes, or choose a model with a longer context.');
const wait: Text = (t) => t('Wait a little, or choose another model.');
const otherWords: Text = (t) => t('Ask in other words, or choose another model.');
const damaged: Text = (t) =>
  t('Its file may be damaged, or its server may give it prompts of another form: choose another model.');
const tryAgain: Text = (t) => t('Try again, or choose another model.');
const seeLog: Text = (t) => t('Choose another model, or look at the log for what was sent.');
const checkAddress: Text = (t) => t('Check the address; most servers want it to end in /v1.');
const isRunning: Text = (t) => t('Is the server running, and is its address right?');
const atServer: Text = (t) => t('Try again in a while; the trouble is at the server.');

const tooMany: Text = (t, v) => t('{0} refused the call: too many requests.', v('provider'));

/** Message and advice, by the code of the error, or by code and `what`. */
const texts: Readonly<Record<string, readonly [message: Text, advice: Text]>> = {
  'no-model': [(t) => t('No language model is chosen.'), pickOrQuote],
  'no-model unknown': [
    (t, v) => t('{0} has no model "{1}" (or its address lacks /v1).', v('endpoint'), v('model')),
    pickOrQuote,
  ],
  'no-model gone': [(t, v) => t('{0} is no longer offered in this editor.', v('model')), pickOrQuote],
  'wrong-key': [(t, v) => t('{0} does not accept the stored API key.', v('endpoint')), setKey],
  'wrong-key missing': [(t, v) => t('{0} asks for an API key and none is stored.', v('endpoint')), setKey],
  'model-consent': [
    (t, v) => t('Hoptrail may not use {0}: access was not granted.', v('model')),
    (t) => t('Ask again and allow access, or choose another model.'),
  ],
  'model-quota': [tooMany, wait],
  'model-quota later': [tooMany, (t, v) => t('Try again in {0} s, or choose another model.', v('seconds'))],
  'model-quota spent': [
    (t, v) => t('{0} refused the call: the quota of this account is used up.', v('provider')),
    wait,
  ],
  'context-too-long': [(t, v) => t('The question and its passages are too long for {0}.', v('model')), setWindow],
  'context-too-long counted': [
    (t, v) =>
      t(
        'The question and its passages are too long for {0} (about {1} tokens, it takes {2}).',
        ...['model', 'tokens', 'contextTokens'].map(v),
      ),
    setWindow,
  ],
  'model-refused': [(t, v) => t('{0} declined to answer: {1}', v('model'), v('reason')), otherWords],
  'model-refused filter': [(t, v) => t('The content filter of {0} stopped the reply.', v('model')), otherWords],
  'model-nonsense': [(t, v) => t('{0} says nothing that can be read.', v('model')), damaged],
  'model-nonsense repeated': [
    (t, v) => t('{0} says nothing that can be read: “{1}”, over and over.', v('model'), v('sample')),
    damaged,
  ],
  'model-empty-reply silent': [(t, v) => t('{0} sent an empty reply.', v('model')), tryAgain],
  'model-empty-reply tool': [(t, v) => t('{0} called a tool and wrote no answer.', v('model')), tryAgain],
  'model-empty-reply thoughts': [
    (t, v) => t('{0} thought for {1} tokens and came to no word of an answer.', v('model'), v('tokens')),
    (t) => t('Choose a model that thinks less, or turn its thinking off where it is served.'),
  ],
  'model-without-tools': [(t, v) => t('{0} takes no tools.', v('model')), seeLog],
  'model-bad-request': [(t, v) => t('{0} rejects the request: {1}', v('model'), v('reason')), seeLog],
  'model-timeout': [
    (t, v) => t('{0} did not finish within {1} s.', v('model'), v('seconds')),
    (t) => t('Try again, choose a faster model, or raise hoptrail.budget.'),
  ],
  'model-timeout silent': [
    (t, v) => t('{0} sent nothing for {1} s.', v('model'), v('seconds')),
    (t) => t('The server is busy or the model too slow for this machine: choose a smaller one.'),
  ],
  'model-bad-reply': [
    (t, v) => t('{0} did not give a usable {1}: {2}', v('model'), v('form'), v('problem')),
    (t) => t('Small models often break the form of a reply: try again or choose a larger one.'),
  ],
  'model-unreachable refused': [(t, v) => t('Nothing answers at {0}.', v('endpoint')), isRunning],
  'model-unreachable unknown-host': [(t, v) => t('{0} is not known to this network.', v('endpoint')), isRunning],
  'model-unreachable proxy': [
    (t, v) => t('{0} cannot be reached through the proxy {1}: {2}', ...['endpoint', 'proxy', 'reason'].map(v)),
    (t) => t('Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or http.proxy in the settings.'),
  ],
  'model-unreachable certificate': [
    (t, v) => t('The certificate of {0} is not accepted.', v('endpoint')),
    (t) => t('See http.systemCertificates and http.proxyStrictSSL.'),
  ],
  'model-unreachable plain': [
    (t, v) => t('{0} does not speak HTTPS.', v('endpoint')),
    (t) => t('Begin the address with http:// instead of https://.'),
  ],
  'model-unreachable encrypted': [
    (t, v) => t('{0} speaks HTTPS only.', v('endpoint')),
    (t) => t('Begin the address with https:// instead of http://.'),
  ],
  'model-unreachable broke': [(t, v) => t('The connection to {0} broke.', v('endpoint')), isRunning],
  'model-unreachable inside': [
    (t, v) => said(t('{0} failed inside (status {1})', v('endpoint'), v('status')), v('said')),
    atServer,
  ],
  'model-unreachable broke-off': [(t, v) => said(t('{0} broke off its reply', v('endpoint')), v('said')), atServer],
  'model-unreachable not-an-endpoint': [
    (t, v) => t('{0} answers with {1}: this is no model endpoint.', v('endpoint'), v('type')),
    checkAddress,
  ],
  'model-unreachable no-completion': [
    (t, v) => t('{0} sent something that is no reply of a model.', v('endpoint')),
    checkAddress,
  ],
  'model-unreachable no-list': [(t, v) => t('{0} has no list of models.', v('endpoint')), checkAddress],
  'model-unreachable no-address': [
    (t, v) => t('"{0}" is no http address of a model endpoint.', v('endpoint')),
    (t) => t('Give it in full, such as http://localhost:11434/v1.'),
  ],
  'model-unreachable editor': [
    (t, v) => t('{0} cannot be reached: {1}', v('model'), v('reason')),
    (t) => t('Check the network and the extension that offers this model.'),
  ],
};

/** The event and the server's own words as one sentence. */
function said(what: string, words: string): string {
  if (words.trim() === '') return `${what}.`;
  return /[.!?…。]$/u.test(words.trimEnd()) ? `${what}: ${words}` : `${what}: ${words}.`;
}

/** The words of a model's error in the language of `t`; undefined for the codes of other errors. */
export function modelErrorInWords(
  { code, details = {} }: Pick<ErrorReport, 'code' | 'details'>,
  t: Translate,
): Words | undefined {
  const found = texts[`${code} ${details['what']}`] ?? texts[code];
  if (!found) return undefined;
  const [message, advice] = found.map((text) => text(t, (name) => String(details[name] ?? '')));
  return { message: message ?? code, advice: advice ?? '' };
}
