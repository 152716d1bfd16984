/**
 * Entry in VS Code. Activation only registers: everything else, the engine and its index process included, is loaded
 * when the first part of it is needed, so that an editor that starts is not kept waiting.
 */
import * as vscode from 'vscode';
import { COMMANDS, PANEL_TYPE, TOOLS, VIEW_ID } from './manifest-names.ts';
import type { Hoptrail } from './hoptrail.ts';

/** Bundled apart, see esbuild.mjs. */
const later = () => import('./later.ts');
let loaded: Promise<Hoptrail> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Hoptrail', { log: true });
  const load = (): Promise<Hoptrail> => (loaded ??= later().then(({ Hoptrail }) => new Hoptrail(context, log)));

  context.subscriptions.push(
    log,
    ...COMMANDS.map((name) =>
      vscode.commands.registerCommand(name, async (...args: unknown[]) => (await load()).run(name, args)),
    ),
    vscode.window.registerWebviewViewProvider(VIEW_ID, {
      resolveWebviewView: async (view, { state }) => (await load()).panels.resolveView(view, state),
    }),
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).panels.resolveEditor(panel, state),
    }),
    ...registerForChat(context, load),
  );
  setTimeout(() => void load().then((hoptrail) => hoptrail.startIfWanted()), 0);
}

/** The chat participant and the tools: where people already are. */
function registerForChat(context: vscode.ExtensionContext, load: () => Promise<Hoptrail>): vscode.Disposable[] {
  const participant = vscode.chat.createChatParticipant('hoptrail.research', async (request, history, stream, token) =>
    (await later()).answerInChat((await load()).sessions, request, history, stream, token),
  );
  participant.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'hoptrail.svg');
  participant.followupProvider = { provideFollowups: async (result) => (await later()).chatFollowups(result) };
  return [
    participant,
    ...TOOLS.map((name) =>
      vscode.lm.registerTool(name, {
        prepareInvocation: async ({ input }) =>
          (await later()).prepareTool(name, input, (await (await load()).models.state()).name),
        invoke: async ({ input }, token) => (await later()).runTool((await load()).sessions, name, input, token),
      }),
    ),
  ];
}

export async function deactivate(): Promise<void> {
  await (await loaded)?.dispose();
}
