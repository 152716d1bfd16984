import * as vscode from 'vscode';
import { reportError, withoutTrailingSlashes } from '#base';
import type { LanguageModel, OpenAiEndpoint } from '#research';
import type { ModelState } from '../protocol.ts';
import { modelProviders, type ProviderPorts } from './model-providers.ts';
import { currentSettings } from '../configuration.ts';

/** Where the key of an endpoint lies in SecretStorage: by address, so that no key goes to another one. */
export const secretKeyOf = (baseUrl: string): string => `hoptrail.apiKey:${withoutTrailingSlashes(baseUrl)}`;

/**
 * The editor's own fetch knows its proxy and its certificates, and is the runtime's unless a person has turned that
 * off: then the proxy of the settings is used, else that of the environment.
 */
function connectionOfEditor(): Pick<OpenAiEndpoint, 'fetch' | 'proxy'> {
  const http = vscode.workspace.getConfiguration('http');
  if (http.get<boolean>('fetchAdditionalSupport') !== false) return { fetch: globalThis.fetch };
  const url = http.get<string>('proxy')?.trim();
  return url ? { proxy: { url, noProxy: http.get<string[]>('noProxy') ?? [] } } : {};
}

/** The language model that settings and trust allow, followed as they change. */
export class ModelService implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #log: vscode.LogOutputChannel;
  readonly #ports: ProviderPorts;
  readonly #providers: typeof modelProviders;
  readonly #changed = new vscode.EventEmitter<LanguageModel | undefined>();
  readonly #disposables: vscode.Disposable[];
  /** What the provider opened, where that may change. */
  #standing: string | undefined;
  #model: Promise<LanguageModel | undefined> | undefined;

  readonly onDidChange = this.#changed.event;

  /** `learningFolder`: where it is told which fine-tuned model stands for the one that is named. */
  constructor(
    secrets: vscode.SecretStorage,
    log: vscode.LogOutputChannel,
    learningFolder: string,
    providers = modelProviders,
  ) {
    this.#ports = { log, learningFolder, endpoint: (baseUrl, name) => this.endpoint(baseUrl, name) };
    this.#providers = providers;
    this.#secrets = secrets;
    this.#log = log;
    this.#disposables = [
      this.#changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('hoptrail.model')) void this.refresh();
      }),
      // Another window may have put a fine-tuned model in place, or stepped back from it.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && vscode.workspace.isTrusted && this.#standing !== this.#standsFor()) void this.refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refresh()),
      secrets.onDidChange((event) => {
        if (event.key.startsWith('hoptrail.apiKey:')) void this.refresh();
      }),
      vscode.lm.onDidChangeChatModels(() => {
        if (this.#providers.get(currentSettings().model.provider)?.ofEditor) void this.refresh();
      }),
    ];
  }

  /** undefined: none is chosen, or none may be used here. */
  async current(): Promise<LanguageModel | undefined> {
    this.#model ??= this.#resolve();
    return this.#model;
  }

  /**
   * A model behind an OpenAI-compatible address, with the key that is kept for it, or with one that is being tried ('':
   * none). The client is loaded only here.
   */
  async endpoint(baseUrl: string, name: string, tried?: string): Promise<LanguageModel> {
    const { openAiModel } = await import('#research');
    const { contextTokens } = currentSettings().model;
    return openAiModel({
      ...connectionOfEditor(),
      baseUrl,
      model: name,
      apiKey: async (address) =>
        tried === undefined ? this.#secrets.get(secretKeyOf(address)) : tried === '' ? undefined : tried,
      ...(contextTokens !== undefined && { contextTokens }),
    });
  }

  async state(): Promise<ModelState> {
    const model = await this.current();
    const { price } = currentSettings().model;
    return { id: model?.id ?? null, name: model?.name ?? null, ...(price ? { price } : {}) };
  }

  async refresh(): Promise<void> {
    const resolving = this.#resolve();
    this.#model = resolving;
    const model = await resolving;
    if (this.#model === resolving) this.#changed.fire(model); // what was chosen meanwhile tells for itself
  }

  /** What the chosen provider would open now. */
  #standsFor(): string | undefined {
    const { model } = currentSettings();
    return this.#providers.get(model.provider)?.standsFor?.(model, this.#ports);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #resolve(): Promise<LanguageModel | undefined> {
    this.#standing = undefined;
    if (!vscode.workspace.isTrusted) return undefined; // what an untrusted folder says goes nowhere
    const settings = currentSettings().model;
    try {
      this.#standing = this.#standsFor();
      return await this.#providers.get(settings.provider)?.open(settings, this.#ports);
    } catch (error) {
      this.#log.error(`The language model cannot be used: ${reportError(error).message}`);
      return undefined;
    }
  }
}
