import * as vscode from 'vscode';
import { fineTunedModel } from '#learning';
import type { LanguageModel } from '#research';
import { findVscodeModel, vscodeLanguageModel } from './vscode-language-model.ts';
import type { ModelSettings } from '../settings.ts';

export interface ProviderPorts {
  log: vscode.LogOutputChannel;
  /** Where it is told which fine-tuned model stands for the one that is named. */
  learningFolder: string;
  endpoint(baseUrl: string, name: string): Promise<LanguageModel>;
}

/** Where a language model comes from. Its name in the table below is the value of `hoptrail.model.provider`. */
export interface ModelProvider {
  /** Opens the model that the settings name; undefined: they name none, or it is not there. */
  open(settings: ModelSettings, ports: ProviderPorts): Promise<LanguageModel | undefined>;
  /** What it would open now, for one whose model may become another while the settings stay. */
  standsFor?(settings: ModelSettings, ports: Pick<ProviderPorts, 'learningFolder'>): string | undefined;
  /** Its models lie at an address whose service may fine-tune them. */
  tunes?: true;
  /** Its models are the editor's, which come and go. */
  ofEditor?: true;
}

const endpoint: ModelProvider = {
  tunes: true,
  open: async (settings, ports) => {
    const name = endpoint.standsFor?.(settings, ports);
    return name === undefined ? undefined : ports.endpoint(settings.baseUrl, name);
  },
  // Itself, or one that was fine-tuned from it.
  standsFor: ({ baseUrl, name }, { learningFolder }) =>
    baseUrl === '' || name === '' ? undefined : fineTunedModel(learningFolder, baseUrl, name),
};

const editor: ModelProvider = {
  ofEditor: true,
  open: async ({ editorModel }, { log }) => {
    const chat = await findVscodeModel(vscode.lm, editorModel);
    if (!chat) log.warn(`The chosen model ${editorModel} is not offered in this editor now.`);
    return chat && vscodeLanguageModel(vscode, chat);
  },
};

/** All providers: the one place where each is named. Who has chosen none answers with quotes. */
export const modelProviders: ReadonlyMap<string, ModelProvider> = new Map([
  ['none', { open: async () => undefined }],
  ['editor', editor],
  ['endpoint', endpoint],
]);
