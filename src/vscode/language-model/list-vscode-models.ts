import type * as vscode from 'vscode';
import { vscodeModelId } from './vscode-language-model.ts';

/** A model that this editor offers. */
export interface EditorModel {
  id: string;
  name: string;
  vendor: string;
  family: string;
  contextTokens: number;
  chat: vscode.LanguageModelChat;
}

/** Chat models of the editor, largest context first; empty when no extension offers one. Asks for no consent. */
export async function listVscodeModels(lm: Pick<typeof vscode.lm, 'selectChatModels'>): Promise<EditorModel[]> {
  const chats = await lm.selectChatModels();
  const models = chats.map((chat) => ({ id: vscodeModelId(chat), name: chat.name, vendor: chat.vendor, family: chat.family, contextTokens: chat.maxInputTokens, chat }));
  const unique = [...new Map(models.map((model) => [model.id, model])).values()];
  return unique.sort((a, b) => b.contextTokens - a.contextTokens || a.name.localeCompare(b.name));
}

/** The model remembered under an id of {@link vscodeModelId}; undefined when the editor does not offer it (any more). */
export async function findVscodeModel(lm: Pick<typeof vscode.lm, 'selectChatModels'>, id: string): Promise<vscode.LanguageModelChat | undefined> {
  const [vendor, ...rest] = id.replace(/^vscode:/, '').split('/');
  const chats = await lm.selectChatModels({ vendor, id: rest.join('/') });
  return chats[0];
}
