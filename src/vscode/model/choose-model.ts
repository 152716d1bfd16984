import * as vscode from 'vscode';
import { reportError } from '#base';
import { listVscodeModels, type EditorModel } from '../language-model/vscode-language-model.ts';
import { secretKeyOf, type ModelService } from './model-service.ts';

type Choice = vscode.QuickPickItem & { choose?(): Promise<void> };

const { l10n, window } = vscode;

/** Asks which language model answers, keeps it in the user's own settings, and tries it once. */
export async function chooseModel(models: ModelService, secrets: vscode.SecretStorage): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    const manage = l10n.t('Manage Trust');
    if (
      (await window.showInformationMessage(
        l10n.t('In restricted mode no language model is used. Trust this workspace to choose one.'),
        manage,
      )) === manage
    )
      await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  const offered = await listVscodeModels(vscode.lm);
  const current = await models.current();
  const choices: Choice[] = [
    ...(offered.length > 0
      ? [{ label: l10n.t('Offered by this editor'), kind: vscode.QuickPickItemKind.Separator }]
      : []),
    ...offered.map((model) => editorChoice(model, current?.id === model.id, models)),
    { label: l10n.t('Elsewhere'), kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(server) ${l10n.t('OpenAI-compatible endpoint…')}`,
      description: l10n.t('OpenAI, Ollama, LM Studio, llama.cpp, vLLM'),
      choose: () => chooseEndpoint(models, secrets),
    },
    {
      label: `$(quote) ${l10n.t('No language model')}`,
      description: l10n.t('Answers are quotes with their trail; nothing leaves this machine'),
      choose: () => save({ provider: 'none' }),
    },
  ];
  const chosen = await window.showQuickPick(choices, {
    title: l10n.t('Language model for answers'),
    matchOnDescription: true,
  });
  await chosen?.choose?.();
}

function editorChoice(model: EditorModel, isCurrent: boolean, models: ModelService): Choice {
  return {
    label: `${isCurrent ? '$(check) ' : ''}${model.name}`,
    description: `${model.vendor} · ${l10n.t('{0} tokens', model.contextTokens)}`,
    choose: async () => {
      await save({ provider: 'editor', editorModel: model.id.replace(/^vscode:/, '') });
      await models.refresh();
      await tryOut(models);
    },
  };
}

async function chooseEndpoint(models: ModelService, secrets: vscode.SecretStorage): Promise<void> {
  const kept = vscode.workspace.getConfiguration('hoptrail').get<string>('model.baseUrl');
  const baseUrl = await window.showInputBox({
    title: l10n.t('Address of the endpoint'),
    prompt: l10n.t('Up to and including /v1. Passages of this workspace will be sent there.'),
    value: kept === undefined || kept === '' ? 'http://127.0.0.1:11434/v1' : kept,
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:\/\/[^\s]+$/.test(text.trim()) ? undefined : l10n.t('An address begins with http:// or https://'),
  });
  if (baseUrl === undefined) return;
  const address = baseUrl.trim();
  if (!(await askForKey(secrets, address))) return;
  const name = await chooseName(address, secrets);
  if (name === undefined || name === '') return;
  await save({ provider: 'endpoint', baseUrl: address, name });
  await models.refresh();
  await tryOut(models);
}

async function chooseName(baseUrl: string, secrets: vscode.SecretStorage): Promise<string | undefined> {
  const { listOpenAiModels } = await import('#research');
  try {
    const listed = await listOpenAiModels({ baseUrl, apiKey: async (address) => secrets.get(secretKeyOf(address)) });
    if (listed.length > 0)
      return await window.showQuickPick(
        listed.map((model) => model.id),
        { title: l10n.t('Model'), ignoreFocusOut: true },
      );
  } catch (error) {
    void window.showWarningMessage(l10n.t('The endpoint does not list its models: {0}', reportError(error).message));
  }
  return window.showInputBox({ title: l10n.t('Name of the model'), ignoreFocusOut: true });
}

/** Asks for the key of the endpoint that is set, or of one that is typed in. */
export async function setApiKey(models: ModelService, secrets: vscode.SecretStorage): Promise<void> {
  const { model, embedder } = await currentAddresses();
  const addresses = [model, embedder].filter((address) => address !== '');
  const address =
    addresses.length > 1
      ? await window.showQuickPick(addresses, { title: l10n.t('Key for which address?') })
      : (addresses[0] ??
        (await window.showInputBox({ title: l10n.t('Address of the endpoint'), ignoreFocusOut: true })));
  if (address === undefined || address === '') return;
  if (await askForKey(secrets, address)) await models.refresh();
}

async function currentAddresses(): Promise<{ model: string; embedder: string }> {
  const configuration = vscode.workspace.getConfiguration('hoptrail');
  return { model: configuration.get('model.baseUrl', ''), embedder: configuration.get('embedder.baseUrl', '') };
}

/** False when the person went back. An empty key removes the one that is kept. */
async function askForKey(secrets: vscode.SecretStorage, baseUrl: string): Promise<boolean> {
  const known = await secrets.get(secretKeyOf(baseUrl));
  const key = await window.showInputBox({
    title: l10n.t('API key for {0}', baseUrl),
    password: true,
    ignoreFocusOut: true,
    value: known ?? '',
    prompt: l10n.t("Kept in the editor's secret storage. Leave it empty for servers that need none."),
  });
  if (key === undefined) return false;
  if (key.trim() === '') await secrets.delete(secretKeyOf(baseUrl));
  else await secrets.store(secretKeyOf(baseUrl), key.trim());
  return true;
}

async function save(values: Record<string, string>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('hoptrail.model');
  for (const [key, value] of Object.entries(values))
    await configuration.update(key, value, vscode.ConfigurationTarget.Global);
}

async function tryOut(models: ModelService): Promise<void> {
  const model = await models.current();
  if (!model) return;
  const { tryModel } = await import('#research');
  try {
    await window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Trying {0}', model.name), cancellable: true },
      async (_progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        await tryModel(model, stop.signal).catch((error: unknown) => {
          if (!stop.signal.aborted) throw error;
        });
      },
    );
    window.setStatusBarMessage(l10n.t('$(check) {0} answers', model.name), 4000);
  } catch (error) {
    const report = reportError(error);
    void window.showWarningMessage([report.message, report.advice].filter((part) => part !== undefined).join(' '));
  }
}
