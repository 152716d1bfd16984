import type { ErrorReport } from '#base';
import type { Translate } from '#search';
import { type Saying, wholeWords } from './sayings.ts';

/**
 * What errors say in English, and the advice that comes with them, as agents, the command line and logs have it. They
 * come from other processes and out of kept threads; whoever shows one puts it into the editor's language here.
 */
const sayings: readonly Saying[] = [
  // Language models and their endpoints
  (t) => t('The question classifier {0} cannot be used: {1}'),
  (t) => t('it cannot be read.'),
  (t) => t('it does not have the expected form.'),
  (t) => t('it was trained on other cues.'),
  (t) => t('its weights do not fit its features.'),
  (t) => t('its examples cannot be read.'),
  (t) => t('Install Hoptrail again.'),
  (t) => t('This run has used its budget of {0}.'),
  (t) => t('{0} model calls'),
  (t) => t('{0} seconds'),
  (t) => t('{0} steps'),
  (t) => t('Raise hoptrail.budget, or ask a narrower question.'),
  (t) => t('Ask a narrower question.'),
  (t) => t('No language model is chosen.'),
  (t) => t('Choose a model, or go on with answers made of quotes.'),
  (t) => t('{0} asks for an API key and none is stored.'),
  (t) => t('{0} does not accept the stored API key.'),
  (t) =>
    t(
      'Set the key again: in VS Code by Hoptrail: Choose Model (it is kept in the secret storage), on the ' +
        'command line in HOPTRAIL_API_KEY.',
    ),
  (t) => t('Hoptrail may not use {0}: access was not granted.'),
  (t) => t('Ask again and allow access, or choose another model.'),
  (t) => t('{0} refused the call: the quota of this account is used up.'),
  (t) => t('{0} refused the call: too many requests.'),
  (t) => t('Wait a little, or choose another model.'),
  (t) => t('Try again in {0} s, or choose another model.'),
  (t) => t('The question and its passages are too long for {0}.'),
  (t) => t('The question and its passages are too long for {0} (about {1} tokens, it takes {2}).'),
  (t) => t('Set hoptrail.model.contextTokens to what the model takes, or choose a model with a longer context.'),
  (t) => t('{0} declined to answer: {1}'),
  (t) => t('Ask in other words, or choose another model.'),
  (t) => t('{0} says nothing that can be read.'),
  (t) => t('{0} thought for {1} tokens and came to no word of an answer.'),
  (t) => t('Choose a model that thinks less, or turn its thinking off where it is served.'),
  (t) => t('{0} says nothing that can be read: “{1}”, over and over.'),
  (t) => t('Its file may be damaged, or its server may give it prompts of another form: choose another model.'),
  (t) => t('Is the server running, and is its address right?'),
  (t) => t('{0} rejects the request: {1}'),
  (t) => t('Choose another model, or look at the log for what was sent.'),
  (t) => t('{0} sent nothing for {1} s.'),
  (t) => t('{0} did not finish within {1} s.'),
  (t) => t('The server is busy or the model too slow for this machine: choose a smaller one.'),
  (t) => t('Try again, choose a faster model, or raise hoptrail.budget.'),
  (t) => t('{0} did not give a usable {1}: {2}'),
  (t) => t('it said nothing.'),
  (t) => t('Small models often break the form of a reply: try again or choose a larger one.'),
  (t) => t('{0} has no list of models.'),
  (t) => t('Check the address; most servers want it to end in /v1.'),
  (t) => t('"{0}" is no http address of a model endpoint.'),
  (t) => t('Give it in full, such as http://localhost:11434/v1.'),
  (t) => t('{0} sent something that is no reply of a model.'),
  (t) => t('Nothing answers at {0}.'),
  (t) => t('{0} is not known to this network.'),
  (t) => t('The certificate of {0} is not accepted.'),
  (t) => t('See http.systemCertificates and http.proxyStrictSSL.'),
  (t) => t('The connection to {0} broke.'),
  (t) => t('{0} has no model "{1}" (or its address lacks /v1).'),
  (t) => t('{0} failed inside (status {1}).'),
  (t) => t('{0} failed inside (status {1}): {2}'),
  (t) => t('Try again in a while; the trouble is at the server.'),
  (t) => t('{0} broke off its reply.'),
  (t) => t('{0} broke off its reply: {1}'),
  (t) => t('{0} answers with {1}: this is no model endpoint.'),
  (t) => t('{0} sent JSON that is no chat completion.'),
  (t) => t('{0} streams something that is no chat completion.'),
  (t) => t('{0} streams an event without an end: this is no reply of a model.'),
  (t) => t('its content filter stopped the reply.'),
  (t) => t('{0} is no longer offered in this editor.'),
  (t) => t('{0} cannot be reached: {1}'),
  (t) => t('Check the network and the extension that offers this model.'),
  (t) => t('There is no thread to ask in.'),
  (t) => t('This question is not in an open thread any more.'),
  (t) => t('Ask it anew.'),
  (t) => t('This thread was deleted.'),
  (t) => t('Start a new one.'),
  (t) => t('A question of this thread is still being answered.'),
  (t) => t('Wait for its answer, or stop it.'),
  (t) => t('The thread in {0} cannot be read.'),
  (t) => t('Threads cannot be kept in {0}.'),
  (t) => t('Check that the disk is not full and that the folder can be written.'),
  // The index, its embedding model and its process
  (t) => t('The embedding model in {0} cannot be used: {1}'),
  (t) => t('The embeddings endpoint {0} failed: {1}'),
  (t) => t('The embedding model {0} gave vectors of {1} numbers where {2} were expected.'),
  (t) =>
    t(
      'Choose a folder with config.json, tokenizer.json and onnx/model_quantized.onnx (or onnx/model.onnx), or ' +
        'the bundled model.',
    ),
  (t) => t('Set a key that this endpoint accepts.'),
  (t) => t('Check the address and the model, or use the bundled model.'),
  (t) => t('The model behind this name has changed: rebuild the index.'),
  (t) => t('the network gives no passage_logits and token_logits, so it is not a joint encoder'),
  (t) => t('status {0}'),
  (t) => t('status {0} {1}'),
  (t) => t('it gave an empty vector'),
  (t) => t('it gave no vector'),
  (t) => t('it is no http address'),
  (t) => t('it did not answer in time'),
  (t) => t('its reply holds no {0} embeddings'),
  (t) => t('an embedding in its reply is not a list of numbers'),
  (t) => t('its reply leaves out an embedding'),
  (t) => t('there is no such folder'),
  (t) => t('it is not a folder'),
  (t) => t('config.json names no hidden_size'),
  (t) => t('it holds neither onnx/model_quantized.onnx nor onnx/model.onnx'),
  (t) => t('{0} is missing'),
  (t) => t('{0} cannot be read ({1})'),
  (t) => t('the network gives no last_hidden_state, so it is not an embedding model'),
  (t) => t('the network gives {0} numbers per token where config.json says {1}'),
  (t) => t('it was closed'),
  (t) => t('its tokenizer cannot be used ({0})'),
  (t) => t('the generation {0} could not be opened'),
  (t) =>
    t(
      'The folder {0} holds nothing any more, and the index knows {1} files of it: they were kept, as its ' +
        'drive may not be mounted.',
    ),
  (t) =>
    t(
      'Make the folder available again and update the index. If it is meant to be empty, say so: Remove from ' +
        'Index, or hoptrail index DIR --emptied.',
    ),
  (t) => t('The folder {0} cannot be read: {1}. What the index knows of it was kept.'),
  (t) => t('no such folder is there'),
  (t) => t('permission denied'),
  (t) =>
    t(
      'Make it available again (mount its drive, give it back its name, allow reading) and update the index, ' +
        'or take the folder out of the workspace.',
    ),
  (t) => t('The index process ended unexpectedly ({0}).'),
  (t) => t('It is being started again: ask once more in a moment.'),
  (t) => t('The index process cannot be started: {0}'),
  (t) => t('The index process answered {0} with something of unknown shape: {1}'),
  (t) => t('Reload the window; reinstall the extension if it goes on.'),
  (t) => t('Reload the window.'),
  (t) => t('this processor lacks instructions that the database or the model needs'),
  (t) => t('A processor from 2013 or later (with AVX2) is needed.'),
  (t) => t("this system's libraries are too old ({0})"),
  (t) => t('A Linux with glibc 2.28 or later is needed.'),
  (t) => t('a part of it is missing ({0})'),
  (t) => t('Reinstall the extension for this platform.'),
  (t) => t('its native parts do not fit this platform'),
  (t) => t('its program is missing ({0})'),
  (t) => t('it keeps ending ({0})'),
  (t) => t('Look into the log for what it said.'),
  (t) => t('Look into the log for what it said; reinstall the extension for this platform.'),
  (t) => t('The process that reads files cannot be started ({0}). {1}'),
  (t) => t('The process that reads files cannot be started ({0}).'),
  (t) => t('This needs an index process of its own.'),
  (t) => t('{0} holds more than {1} bytes'),
  (t) => t('Leave it out, or raise the limit (hoptrail.index.maxFileSize).'),
  (t) => t('{0} is not read: {1}'),
  (t) => t('a link took its place'),
  (t) => t('something that is no file took its place'),
  (t) => t('another file took its place'),
  (t) => t('a link that leads out of the workspace took the place of a folder above it'),
  (t) => t('Update the index again when nothing changes the folder.'),
  (t) => t("The chain scorer's weights in {0} do not have the expected shape: {1}"),
  (t) => t("The chain scorer's weights cannot be read from {0}: {1}"),
  (t) => t('Reinstall the extension, or rebuild the file with npm run train:scorer.'),
  (t) => t("The reader's weights cannot be read from {0}: {1}"),
  (t) => t("The reader's weights in {0} do not have the expected shape: {1}"),
  (t) => t('its table of passages has no vectors'),
  (t) => t('its list of folders cannot be read'),
  (t) => t('the column {0} is missing'),
  (t) => t('a passage of {0} fails its checksum'),
  (t) => t('a vector of {0} fails its checksum'),
  (t) => t('references fail their checksum'),
  (t) => t('The index is damaged: {0}'),
  (t) => t('The index was set aside and built again, and still fails: {0}'),
  (t) => t('The index fails, although all that it holds can be read: {0}'),
  (t) => t('No space is left on the disk that holds the index ({0}).'),
  (t) => t('The index cannot be written ({0}): its folder is read-only or belongs to somebody else.'),
  (t) => t('No index can lie there: {0}'),
  (t) => t('The remote storage of the index {0} ({1}).'),
  (t) => t('refuses the key'),
  (t) => t('has no such bucket'),
  (t) => t('cannot be reached'),
  (t) => t('The index could not {0}: {1}'),
  (t) => t('it could not {0} ({1})'),
  (t) => t('This index was opened to be followed: it is not written here.'),
  (t) => t('Another window writes this index; this one only reads it.'),
  (t) => t('Another window writes this index; this one only reads it. {0}'),
  (t) => t('The lock {0} is held {1}; its last sign of life came {2} s ago.'),
  (t) => t('by a process that has not said who it is'),
  (t) => t('by a process that has not said who it is since {0} UTC'),
  (t) => t('by process {0} on {1}'),
  (t) => t('by process {0} on {1} since {2} UTC'),
  (t) => t('This index was made for {0}, not for {1}.'),
  (t) => t('imported passages'),
  (t) => t('The index was made with another embedding model than {0}: here it cannot be searched by meaning.'),
  (t) => t('If it does not come back by itself, rebuild it (hoptrail index --rebuild).'),
  (t) => t('Try again. If it goes on, rebuild it (hoptrail index --rebuild), or let it lie on another disk.'),
  (t) =>
    t(
      'Free some space or move the index (hoptrail.index.uri), then try again. What was indexed so far can be ' +
        'searched.',
    ),
  (t) => t('Allow writing there, or choose another place (hoptrail.index.uri).'),
  (t) => t('Name a folder, or a place where one can be made (hoptrail.index.uri, --index).'),
  (t) =>
    t(
      'Keys come from the environment in which the editor or the command was started: AWS_ACCESS_KEY_ID and ' +
        'AWS_SECRET_ACCESS_KEY, or AWS_PROFILE (docs/remote-index.md).',
    ),
  (t) => t('Make the bucket, or correct the address (hoptrail.index.uri, --index).'),
  (t) => t('See whether this machine is online, and whether AWS_ENDPOINT and the proxy are right. Then try again.'),
  (t) => t('Ask the window that keeps it up to date, or open it without following.'),
  (t) => t('Close the other window, or ask there.'),
  (t) =>
    t(
      'Let the index lie in another place (hoptrail.index.uri, --index), or rebuild it (hoptrail index ' +
        '--rebuild): then what it holds now goes, but for the vectors of texts that stayed the same.',
    ),
  (t) =>
    t(
      'Open it with the model that it was made with (hoptrail.embedder.*, --embedder-folder), or search by words only.',
    ),
  // Learning, and files that it keeps
  (t) => t('Learning is off here.'),
  (t) => t('Turn it on in the settings.'),
  (t) => t('Nothing is learnt here.'),
  (t) => t('{0} redirected to {1}. Hoptrail sends your text to the address that you chose and nowhere else.'),
  (t) => t('another address'),
  (t) =>
    t(
      '{0} sent more than {1} KB in one reply, which is more than this request can be answered with; the rest ' +
        'was not read.',
    ),
  (t) => t('If the service moved, set the new address.'),
  (t) => t('Check that the address is that of a model endpoint, or choose another model.'),
  (t) => t('{0} cannot be read: {1}'),
  (t) => t('{0} cannot be written: {1}'),
  (t) => t('{0} is damaged: it holds no JSON.'),
  (t) => t('Check that the folder exists and may be written, and that the disk is not full.'),
  (t) => t('Delete it, or reset what was learnt.'),
  (t) => t('No question was held out to compare old and new on.'),
  (t) => t('Learn again when more runs have been kept.'),
  (t) => t('A round of fine-tuning is under way at {0}.'),
  (t) =>
    t(
      'Cancel it first: the examples are deleted there then. If the service is gone, the round can be ' +
        'forgotten: `hoptrail fine-tune forget`, or in the editor where cancelling fails.',
    ),
  (t) => t('{0} knows no such fine-tuning job, or offers no fine-tuning.'),
  (t) => t('{0} refuses to fine-tune: {1}'),
  (t) => t('Choose a provider that can fine-tune, or let the local round learn.'),
  (t) => t('See which models the provider can fine-tune, and what it wants of examples.'),
  (t) => t('There are {0} examples to learn from; {1} are needed.'),
  (t) => t('No question was held out to compare on.'),
  (t) => t('Ask more questions, and rate answers that were right.'),
  (t) => t('Some of these examples were deleted since they were counted.'),
  (t) => t('Prepare the round again.'),
  (t) => t('No model that was fine-tuned is in use.'),
  (t) => t('{0} says that the job succeeded, and names no model.'),
  (t) => t('{0} does not say why the job failed.'),
  (t) => t('The job was cancelled at the provider.'),
  (t) => t('The uploaded file {0} could not be deleted at {1}: {2}'),
  (t) => t('The job {0} could not be cancelled at {1}, and its file {2} is still there: {3}'),
  (t) => t('{0} examples; {1} are needed.'),
  (t) => t('There is no learning round.'),
  (t) => t('Prepare one first.'),
  (t) => t('The learning round is {0}, not {1}.'),
  (t) => t('A round of fine-tuning is under way.'),
  (t) => t('Wait for it, or cancel it.'),
  (t) => t('This round runs at {0}, and the service named now is {1}.'),
  (t) => t('Name that service again.'),
  (t) => t('The round of fine-tuning was changed elsewhere meanwhile.'),
  (t) => t('Look at it again.'),
  (t) => t('Delete it at {0}.'),
  (t) => t('The state of the round of fine-tuning cannot be read.'),
  (t) => t('Delete what was learnt; a job that runs must be cancelled at the service.'),
  (t) => t('A file of learnt weights cannot be read.'),
  (t) => t('Reset what was learnt.'),
  (t) => t('The examples that were learnt cannot be read.'),
  (t) => t('The model was asked {0} times, as often as this round may.'),
  (t) => t('A round of learning is running already.'),
  (t) => t('A round of learning is running in another window or program.'),
  (t) => t('Wait for its end, or cancel it.'),
  (t) => t('The state of the learning round cannot be read.'),
  (t) => t('The strategy "{0}" needs "{1}", which cannot run here.'),
  (t) => t('Set hoptrail.strategy to auto.'),
  (t) =>
    t('Of what was learnt about strategies, {0} lines cannot be read, and {1} are of another version of Hoptrail.'),
  (t) => t('They are left out, and stay where they are.'),
  (t) => t('There is no strategy called "{0}".'),
  (t) =>
    t(
      'Set hoptrail.strategy to auto, fast, balanced, thorough, an operator, belle, or a graph such as ' +
        'no-retrieval>ircot,ircot>vote.',
    ),
  (t) =>
    t(
      'Of what an earlier version learnt about strategies, the last {0} runs were taken over; what it had made ' +
        'of earlier ones lies in {1}.',
    ),
  (t) => t('What an earlier version learnt about strategies cannot be read: it lies in {0}.'),
  (t) => t('Nothing needs to be done. Resetting what was learnt deletes it.'),
  (t) => t('What was learnt about strategies was learnt by another version of Hoptrail.'),
  (t) => t('The stored state of the strategy choice is damaged.'),
  (t) => t('The stored state of the strategy choice cannot be read: {0}'),
  (t) => t('The stored state of the strategy choice is cut off: {0} bytes.'),
  (t) => t('The stored state of the strategy choice holds values that are no numbers.'),
  (t) => t('It starts anew by itself.'),
];

const known = wholeWords(sayings);

/**
 * What an error said, or a cause of one, in the language of `t`; what is not known stays as it is, such as the words of
 * a server.
 */
export const translateError = (said: string, t: Translate): string => known(said, t) ?? said;

/** The error with its words in the language of `t`. */
export const errorInWords = (error: ErrorReport, t: Translate): ErrorReport => ({
  ...error,
  message: translateError(error.message, t),
  ...(error.advice !== undefined && { advice: translateError(error.advice, t) }),
});

/** What happened and what to do about it, in one text in the language of `t`. */
export function errorInOneText(error: ErrorReport, t: Translate): string {
  const { message, advice } = errorInWords(error, t);
  return [message, advice].filter((part) => part !== undefined).join(' ');
}
