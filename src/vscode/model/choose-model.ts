import * as vscode from 'vscode';
import { accepted } from '../accepted.ts';
import { type EditorModel, findVscodeModel, listVscodeModels, vscodeLanguageModel } from './vscode-language-model.ts';
import { findLocalModels, LOCAL_SERVERS, type LocalModel, type ModelServer, SERVICES } from './local-servers.ts';
import {
  changeKey,
  chooseEndpoint,
  saveModel,
  tellOutcome,
  tryOut,
  useEndpoint,
  type ChoicePorts,
} from './use-endpoint.ts';
import type { UsedEndpoint } from './used-endpoints.ts';

/** A row of the list; without `choose` a separator. */
type Choice = vscode.QuickPickItem & { choose?(): Promise<unknown> };

const { l10n, window } = vscode;

/**
 * Asks which language model answers, tries it once, and keeps it in the user's settings. Models of this machine are
 * looked for while the list is open, and only then.
 */
export async function chooseModel(
  ports: ChoicePorts,
  servers: readonly ModelServer[] = LOCAL_SERVERS,
  services: readonly ModelServer[] = SERVICES,
): Promise<void> {
  if (!vscode.workspace.isTrusted) return askForTrust();
  const [offered, current] = await Promise.all([listVscodeModels(vscode.lm), ports.models.current()]);
  const chosen = await pickWhileLooking(
    (local) => choicesOf(offered, ports.used.list, local, services, current?.id, ports),
    servers,
  );
  await chosen?.choose?.();
}

function pickWhileLooking(
  choices: (local: readonly LocalModel[]) => Choice[],
  servers: readonly ModelServer[],
): Promise<Choice | null | undefined> {
  const pick = window.createQuickPick<Choice>();
  const stop = new AbortController();
  const found = new Map<ModelServer, readonly LocalModel[]>();
  const local = (): LocalModel[] => [...found.values()].flat();
  pick.title = l10n.t('Language model for answers');
  pick.placeholder = l10n.t('Looking for models on this machine…');
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.items = choices([]);
  void findLocalModels(
    servers,
    (server, models) => {
      found.set(server, models);
      const active = pick.activeItems[0]?.label;
      pick.items = choices(local());
      const same = pick.items.find((item) => item.label === active);
      if (same) pick.activeItems = [same]; // the row under the keyboard stays there
    },
    stop.signal,
  ).then(() => {
    if (stop.signal.aborted) return;
    pick.busy = false;
    pick.placeholder = found.size > 0 ? undefined : l10n.t('Nothing was found on this machine');
  });
  // Closed also where no row is left.
  return accepted(pick, () => pick.activeItems[0] ?? null).finally(() => stop.abort());
}

function choicesOf(
  offered: readonly EditorModel[],
  used: readonly UsedEndpoint[],
  local: readonly LocalModel[],
  services: readonly ModelServer[],
  currentId: string | undefined,
  ports: ChoicePorts,
): Choice[] {
  const isLocal = ({ baseUrl, name }: UsedEndpoint): boolean =>
    local.some((model) => model.server.baseUrl === baseUrl && model.id === name);
  return [
    ...group(
      l10n.t('Offered by this editor'),
      offered.map((model) => editorChoice(model, currentId === model.id, ports)),
    ),
    ...group(
      l10n.t('On this machine'),
      local.map(({ server, id, contextTokens }) => ({
        label: `$(vm) ${id}`,
        description: withWindow(server.name, contextTokens),
        choose: () => useEndpoint({ baseUrl: server.baseUrl, name: id, contextTokens }, ports),
      })),
    ),
    ...group(
      l10n.t('Used before'),
      used
        .filter((endpoint) => !isLocal(endpoint))
        .map((endpoint) => ({
          label: `$(history) ${endpoint.name}`,
          description: withWindow(endpoint.baseUrl, endpoint.contextTokens),
          choose: () => useEndpoint(endpoint, ports),
        })),
    ),
    ...group(l10n.t('Elsewhere'), [
      ...services.map(({ name, baseUrl }) => ({
        label: `$(cloud) ${name}`,
        description: new URL(baseUrl).host,
        choose: () => chooseEndpoint(ports, baseUrl),
      })),
      {
        label: `$(server) ${l10n.t('OpenAI-compatible endpoint…')}`,
        description: l10n.t('OpenAI, Ollama, LM Studio, llama.cpp, vLLM'),
        choose: () => chooseEndpoint(ports),
      },
      {
        label: `$(quote) ${l10n.t('No language model')}`,
        description: l10n.t('Answers are quotes with their trail; nothing leaves this machine'),
        choose: () => saveModel({ provider: 'none' }),
      },
    ]),
  ];
}

const withWindow = (whose: string, contextTokens: number | undefined): string =>
  contextTokens === undefined ? whose : `${whose} · ${l10n.t('{0} tokens', contextTokens.toLocaleString())}`;

const group = (label: string, choices: Choice[]): Choice[] =>
  choices.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...choices];

function editorChoice(offered: EditorModel, isCurrent: boolean, { models, later }: ChoicePorts): Choice {
  return {
    label: `${isCurrent ? '$(check) ' : ''}${offered.name}`,
    description: withWindow(offered.vendor, offered.contextTokens),
    choose: async () => {
      const chat = await findVscodeModel(vscode.lm, offered.id);
      const model = chat && vscodeLanguageModel(vscode, chat);
      const tried = model && (await tryOut(model, later));
      if (tried?.ended === 'stopped') return;
      await saveModel({ provider: 'editor', editorModel: offered.id.replace(/^vscode:/, '') });
      await models.refresh();
      if (model && tried) await tellOutcome(model, tried);
    },
  };
}

async function askForTrust(): Promise<void> {
  const manage = l10n.t('Manage Trust');
  const chosen = await window.showInformationMessage(
    l10n.t('In restricted mode no language model is used. Trust this workspace to choose one.'),
    manage,
  );
  if (chosen === manage) await vscode.commands.executeCommand('workbench.trust.manage');
}

/** Asks for the key of the endpoint that is set, or of one that is typed in, and keeps it once it has been tried. */
export async function setApiKey(ports: Omit<ChoicePorts, 'used'>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('hoptrail');
  // As the settings are read: a key that is kept for an address with a space behind it is found by nobody.
  const setting = (name: string): string => configuration.get(name, '').trim();
  const ofModel = setting('model.baseUrl');
  const addresses = [...new Set([ofModel, setting('embedder.baseUrl')])].filter((address) => address !== '');
  const address =
    addresses.length > 1
      ? await window.showQuickPick(addresses, { title: l10n.t('Key for which address?') })
      : (addresses[0] ??
        (await window.showInputBox({ title: l10n.t('Address of the endpoint'), ignoreFocusOut: true }))?.trim());
  if (address === undefined || address === '') return;
  await changeKey(ports, address, address === ofModel ? setting('model.name') : '');
}
