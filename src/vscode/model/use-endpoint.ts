import * as vscode from 'vscode';
import { reportError, timerClock, type TimerClock } from '#base';
import type { LanguageModel, OpenAiEndpoint } from '#research';
import { errorInOneText, errorInWords } from '../error-words.ts';
import { secretKeyOf, type ModelService } from './model-service.ts';
import type { UsedEndpoint, UsedEndpoints } from './used-endpoints.ts';

const { l10n, window } = vscode;

/** What choosing a model works with. */
export interface ChoicePorts {
  models: ModelService;
  secrets: vscode.SecretStorage;
  used: UsedEndpoints;
  /** As {@link timerClock}'s, which it is where nothing else is given. */
  later?: TimerClock['later'];
}

/** Asks for an address where none is given, its key and one of its models; nothing is kept before it is accepted. */
export async function chooseEndpoint(ports: ChoicePorts, known?: string): Promise<void> {
  const baseUrl = known ?? (await askForAddress());
  if (baseUrl === undefined) return;
  const first = await askForKey(baseUrl, await ports.secrets.get(secretKeyOf(baseUrl)));
  if (first === undefined) return;
  const named = await chooseName(baseUrl, first);
  if (named) await useEndpoint({ baseUrl, name: named.name }, ports, named.key);
}

async function askForAddress(): Promise<string | undefined> {
  const kept = vscode.workspace.getConfiguration('hoptrail').get<string>('model.baseUrl');
  const typed = await window.showInputBox({
    title: l10n.t('Address of the endpoint'),
    prompt: l10n.t('Passages of this workspace will be sent there.'),
    value: kept === undefined || kept === '' ? 'http://127.0.0.1:11434/v1' : kept,
    ignoreFocusOut: true,
    validateInput: (text) =>
      isAddress(text.trim())
        ? undefined
        : l10n.t('This is no address. Examples: localhost:11434, https://api.openai.com/v1'),
  });
  return typed?.trim();
}

/** With or without its scheme; a full one is http or https. */
const isAddress = (text: string): boolean => {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return /^https?:\/\/[^\s]+$/i.test(full) && URL.canParse(full);
};

/** Tries a model with its key (default: the one that is kept) and makes it the one that answers; false: it is not. */
export async function useEndpoint(chosen: UsedEndpoint, ports: ChoicePorts, given?: string): Promise<boolean> {
  const { name } = chosen;
  const kept = given ?? (await ports.secrets.get(secretKeyOf(chosen.baseUrl))) ?? '';
  const tried = await untilAccepted(chosen.baseUrl, kept, async (key) => {
    const model = await ports.models.endpoint(chosen.baseUrl, name, key);
    return { model, ...(await tryOut(model, ports.later)) };
  });
  if (!tried || tried.ended === 'stopped') return false;
  const { key, model } = tried;
  const { answeringUrlOf, windowOfOpenAiModel } = await import('#research');
  const baseUrl = answeringUrlOf(chosen.baseUrl); // in full, however it was typed
  await keepKey(ports.secrets, baseUrl, key);
  await saveModel({ provider: 'endpoint', baseUrl, name });
  await ports.models.refresh();
  const window = await windowOfOpenAiModel(withKey(baseUrl, key), name);
  await ports.used.add({ ...chosen, baseUrl, contextTokens: window ?? chosen.contextTokens });
  await tellOutcome(model, tried);
  return true;
}

/** One of the models that the endpoint lists, or a name that is typed; undefined: the person went back. */
async function chooseName(baseUrl: string, given: string): Promise<{ name: string; key: string } | undefined> {
  const tried = await untilAccepted(baseUrl, given, (key) => listWith(baseUrl, key));
  if (!tried) return undefined;
  const { key, listed = [], problem } = tried;
  if (problem !== undefined)
    void window.showWarningMessage(l10n.t('The endpoint does not list its models: {0}', messageOf(problem)));
  if (listed.length > 0) {
    const name = await window.showQuickPick(listed, { title: l10n.t('Model'), ignoreFocusOut: true });
    return name === undefined ? undefined : { name, key };
  }
  const name = await window.showInputBox({ title: l10n.t('Name of the model'), ignoreFocusOut: true });
  return name === undefined || name.trim() === '' ? undefined : { name: name.trim(), key };
}

const withKey = (baseUrl: string, key: string): OpenAiEndpoint => ({ baseUrl, apiKey: async () => key || undefined });

async function listWith(baseUrl: string, key: string): Promise<{ listed?: string[]; problem?: unknown }> {
  const { listOpenAiModels } = await import('#research');
  try {
    const listed = await listOpenAiModels(withKey(baseUrl, key));
    return { listed: listed.map(({ id }) => id) };
  } catch (problem) {
    return { problem };
  }
}

/**
 * Asks for the key of an address and keeps it once it has been tried: with the model that is set, else with the list of
 * models. Where that cannot tell, the person decides. An empty key removes the one that is kept.
 */
export async function changeKey(
  { models, secrets, later }: Omit<ChoicePorts, 'used'>,
  baseUrl: string,
  name: string,
): Promise<void> {
  const first = await askForKey(baseUrl, await secrets.get(secretKeyOf(baseUrl)));
  if (first === undefined) return;
  const tried = await untilAccepted(baseUrl, first, async (key): Promise<Trial> => {
    if (key === '') return {};
    return name === '' ? listWith(baseUrl, key) : tryOut(await models.endpoint(baseUrl, name, key), later);
  });
  if (!tried || tried.ended === 'stopped') return;
  if (tried.problem !== undefined && !(await isKeptUntried(baseUrl, tried.problem))) return;
  await keepKey(secrets, baseUrl, tried.key);
  await models.refresh();
  if (tried.key !== '' && tried.problem === undefined && !tried.ended)
    window.setStatusBarMessage(
      l10n.t('$(check) {0} accepts the key', URL.canParse(baseUrl) ? new URL(baseUrl).host || baseUrl : baseUrl),
      4000,
    );
}

async function isKeptUntried(baseUrl: string, problem: unknown): Promise<boolean> {
  const keep = l10n.t('Save It Untried');
  const told = l10n.t(
    'Whether {0} accepts this key is not known, and nothing is saved: {1}',
    baseUrl,
    messageOf(problem),
  );
  return (await window.showWarningMessage(told, keep)) === keep;
}

/** Tries a key, and asks for another one as long as the endpoint refuses it; undefined: the person went back. */
async function untilAccepted<T extends { problem?: unknown }>(
  baseUrl: string,
  first: string,
  attempt: (key: string) => Promise<T>,
): Promise<(T & { key: string }) | undefined> {
  let key = first;
  for (;;) {
    const tried = await attempt(key);
    if (!isRefusedKey(tried.problem)) return { ...tried, key };
    const next = await askForKey(baseUrl, key, messageOf(tried.problem));
    if (next === undefined) return undefined;
    key = next;
  }
}

const messageOf = (problem: unknown): string => errorInWords(reportError(problem), l10n.t).message;

const isRefusedKey = (problem: unknown): boolean => problem !== undefined && reportError(problem).code === 'wrong-key';

/** '' for a server that needs none; undefined when the person went back. `refused`: why the one before did not do. */
async function askForKey(baseUrl: string, known: string | undefined, refused?: string): Promise<string | undefined> {
  const prompt = l10n.t("Kept in the editor's secret storage. Leave it empty for servers that need none.");
  const key = await window.showInputBox({
    title: l10n.t('API key for {0}', baseUrl),
    password: true,
    ignoreFocusOut: true,
    value: known ?? '',
    prompt: refused === undefined ? prompt : `${refused} ${prompt}`,
  });
  return key?.trim();
}

async function keepKey(secrets: vscode.SecretStorage, baseUrl: string, key: string): Promise<void> {
  if (key === '') await secrets.delete(secretKeyOf(baseUrl));
  else await secrets.store(secretKeyOf(baseUrl), key);
}

export async function saveModel(values: Record<string, string>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('hoptrail.model');
  for (const [key, value] of Object.entries(values))
    await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}

/** How the trial of a model ended. */
interface Trial {
  /** What went wrong. */
  problem?: unknown;
  /** The person did not wait for its word: `stopped` takes nothing, `taken` takes it all the same. */
  ended?: 'stopped' | 'taken';
}

/** One short call, with its progress. A model that is silent is named within seconds; the person says what is to be. */
export async function tryOut(model: LanguageModel, later = timerClock.later): Promise<Trial> {
  const { SILENT_AFTER, tellSilence, tryModel } = await import('#research');
  const stop = new AbortController();
  let ended: Trial['ended'];
  const end = (how: NonNullable<Trial['ended']>): void => {
    ended ??= how;
    stop.abort();
  };
  const silent = async (): Promise<void> => {
    const take = l10n.t('Use It All the Same');
    const told = l10n.t('{0} has sent nothing for {1} seconds. It may still be loading.', model.name, SILENT_AFTER);
    if ((await window.showWarningMessage(told, l10n.t('Wait'), take)) === take) end('taken');
  };
  try {
    await window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Trying {0}', model.name), cancellable: true },
      async (_progress, token) => {
        token.onCancellationRequested(() => end('stopped'));
        await tryModel(
          tellSilence(model, (thinking) => void (thinking || silent()), later),
          stop.signal,
        );
      },
    );
    return {};
  } catch (problem) {
    return ended ? { ended } : { problem };
  }
}

/** That a model answers, and how much it takes; or what went wrong. */
export async function tellOutcome(model: LanguageModel, { problem, ended }: Trial): Promise<void> {
  if (ended) return;
  if (problem === undefined) {
    await model.learnWindow?.();
    const tokens = model.contextTokens.toLocaleString();
    window.setStatusBarMessage(l10n.t('$(check) {0} answers; it takes {1} tokens', model.name, tokens), 4000);
    return;
  }
  void window.showWarningMessage(errorInOneText(reportError(problem), l10n.t));
}
