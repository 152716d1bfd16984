import type { ErrorReport } from '#base';

/** Values that the words of a model's error are made of; `what` tells apart errors that share a code. */
export type ModelErrorDetails = Readonly<Record<string, string | number>>;

const pickOrQuote = 'Choose a model, or go on with answers made of quotes.';
const setKey =
  'Set the key again: in VS Code by Hoptrail: Choose Model (it is kept in the secret storage), on the command line ' +
  'in HOPTRAIL_API_KEY.';
const setWindow = 'Set hoptrail.model.contextTokens to what the model takes, or choose a model with a longer context.';
const wait = 'Wait a little, or choose another model.';
const otherWords = 'Ask in other words, or choose another model.';
const damaged = 'Its file may be damaged, or its server may give it prompts of another form: choose another model.';
const tryAgain = 'Try again, or choose another model.';
const seeLog = 'Choose another model, or look at the log for what was sent.';
const checkAddress = 'Check the address; most servers want it to end in /v1.';
const isRunning = 'Is the server running, and is its address right?';
const atServer = 'Try again in a while; the trouble is at the server.';
const tooMany = '{provider} refused the call: too many requests.';

/** Message and advice, by the code of the error, or by code and `what`. */
const texts: Readonly<Record<string, readonly [message: string, advice: string]>> = {
  'no-model': ['No language model is chosen.', pickOrQuote],
  'no-model unknown': ['{endpoint} has no model "{model}" (or its address lacks /v1).', pickOrQuote],
  'no-model gone': ['{model} is no longer offered in this editor.', pickOrQuote],
  'wrong-key': ['{endpoint} does not accept the stored API key.', setKey],
  'wrong-key missing': ['{endpoint} asks for an API key and none is stored.', setKey],
  'model-consent': [
    'Hoptrail may not use {model}: access was not granted.',
    'Ask again and allow access, or choose another model.',
  ],
  'model-quota': [tooMany, wait],
  'model-quota later': [tooMany, 'Try again in {seconds} s, or choose another model.'],
  'model-quota spent': ['{provider} refused the call: the quota of this account is used up.', wait],
  'context-too-long': ['The question and its passages are too long for {model}.', setWindow],
  'context-too-long counted': [
    'The question and its passages are too long for {model} (about {tokens} tokens, it takes {contextTokens}).',
    setWindow,
  ],
  'model-refused': ['{model} declined to answer: {reason}', otherWords],
  'model-refused filter': ['The content filter of {model} stopped the reply.', otherWords],
  'model-nonsense': ['{model} says nothing that can be read.', damaged],
  'model-nonsense repeated': ['{model} says nothing that can be read: “{sample}”, over and over.', damaged],
  'model-empty-reply silent': ['{model} sent an empty reply.', tryAgain],
  'model-empty-reply tool': ['{model} called a tool and wrote no answer.', tryAgain],
  'model-empty-reply thoughts': [
    '{model} thought for {tokens} tokens and came to no word of an answer.',
    'Choose a model that thinks less, or turn its thinking off where it is served.',
  ],
  'model-without-tools': ['{model} takes no tools.', seeLog],
  'model-bad-request': ['{model} rejects the request: {reason}', seeLog],
  'model-timeout': [
    '{model} did not finish within {seconds} s.',
    'Try again, choose a faster model, or raise hoptrail.budget.',
  ],
  'model-timeout silent': [
    '{model} sent nothing for {seconds} s.',
    'The server is busy or the model too slow for this machine: choose a smaller one.',
  ],
  'model-bad-reply': [
    '{model} did not give a usable {form}: {problem}',
    'Small models often break the form of a reply: try again or choose a larger one.',
  ],
  'model-unreachable refused': ['Nothing answers at {endpoint}.', isRunning],
  'model-unreachable unknown-host': ['{endpoint} is not known to this network.', isRunning],
  'model-unreachable proxy': [
    '{endpoint} cannot be reached through the proxy {proxy}: {reason}',
    'Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or http.proxy in the settings.',
  ],
  'model-unreachable certificate': [
    'The certificate of {endpoint} is not accepted.',
    'See http.systemCertificates and http.proxyStrictSSL.',
  ],
  'model-unreachable plain': [
    '{endpoint} does not speak HTTPS.',
    'Begin the address with http:// instead of https://.',
  ],
  'model-unreachable encrypted': [
    '{endpoint} speaks HTTPS only.',
    'Begin the address with https:// instead of http://.',
  ],
  'model-unreachable broke': ['The connection to {endpoint} broke.', isRunning],
  'model-unreachable inside': ['{endpoint} failed inside (status {status}){said}', atServer],
  'model-unreachable broke-off': ['{endpoint} broke off its reply{said}', atServer],
  'model-unreachable not-an-endpoint': ['{endpoint} answers with {type}: this is no model endpoint.', checkAddress],
  'model-unreachable no-completion': ['{endpoint} sent something that is no reply of a model.', checkAddress],
  'model-unreachable no-list': ['{endpoint} has no list of models.', checkAddress],
  'model-unreachable no-address': [
    '"{endpoint}" is no http address of a model endpoint.',
    'Give it in full, such as http://localhost:11434/v1.',
  ],
  'model-unreachable editor': [
    '{model} cannot be reached: {reason}',
    'Check the network and the extension that offers this model.',
  ],
};

/** The server's words as the end of a sentence: others may follow. */
function ending(said: string): string {
  if (said.trim() === '') return '.';
  return /[.!?…。]$/u.test(said.trimEnd()) ? `: ${said}` : `: ${said}.`;
}

/** What happened and what to do, in English. */
export function modelErrorInWords(code: string, details: ModelErrorDetails): Pick<ErrorReport, 'message' | 'advice'> {
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(details[name] ?? '');
      return name === 'said' ? ending(value) : value;
    });
  const [message, advice] = texts[`${code} ${details['what']}`] ?? texts[code] ?? [code];
  return { message: filled(message), ...(advice !== undefined && { advice: filled(advice) }) };
}
