import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { filesRead } from '../index/index-report.ts';
import { shownPath } from '../index/workspace-roots.ts';
import type { Completions } from '../panel/completions.ts';
import type { PanelHub } from '../panel/panel-hub.ts';
import type { SessionHolder } from '../session-holder.ts';
import type { Conversations } from '../threads/conversations.ts';
import { connectRun } from './connect-run.ts';

export interface ConnectServices {
  panels: PanelHub;
  sessions: SessionHolder;
  conversations: Conversations;
  completions: Completions;
}

/** "How are these connected?" for two files: those selected in the explorer, else asked for. */
export async function connectFiles(services: ConnectServices, _clicked: unknown, selected: unknown): Promise<void> {
  const paths = await twoPaths(services.completions, selected);
  if (!paths) return;
  const [from, to] = paths;
  const { conversations, panels, sessions } = services;
  await panels.reveal();
  const threadId = await panels.activeThreadId();
  await conversations.ask(
    threadId,
    vscode.l10n.t('How are {0} and {1} connected?', from, to),
    { kind: 'workspace' },
    {
      research: async (question, signal) => {
        const { engine } = await sessions.get();
        await filesRead(sessions); // a link to a file that is not read yet leads nowhere
        const ports = { retriever: engine.retriever, now: Date.now, newId: randomUUID };
        return connectRun(question, from, to, ports, signal);
      },
    },
  );
}

async function twoPaths(completions: Completions, selected: unknown): Promise<[string, string] | undefined> {
  const uris = Array.isArray(selected) ? selected.filter((item): item is vscode.Uri => item instanceof vscode.Uri) : [];
  const paths = uris.flatMap((uri) => shownPath(uri) ?? []);
  const [from, to] = paths;
  if (from !== undefined && to !== undefined) return [from, to];
  const files = await completions.filePaths();
  if (!files) return undefined;
  const { l10n, window } = vscode;
  const title = l10n.t('How are these connected?');
  const first = from ?? (await window.showQuickPick(files, { title, placeHolder: l10n.t('From this file') }));
  if (first === undefined) return undefined;
  const second = await window.showQuickPick(
    files.filter((file) => file !== first),
    { title, placeHolder: l10n.t('To this file') },
  );
  return second === undefined ? undefined : [first, second];
}
