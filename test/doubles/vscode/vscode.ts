/**
 * What our code uses of `vscode`, as far as it can be had without an editor: values as they are there, and an editor
 * whose answers a test sets. Anything else is undefined. Put in the place of `vscode` by register.ts.
 */
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export class Uri {
  readonly scheme: string;
  readonly path: string;

  private constructor(scheme: string, pathInside: string) {
    this.scheme = scheme;
    this.path = pathInside;
  }

  static file(absolute: string): Uri {
    return new Uri('file', absolute);
  }

  static parse(text: string): Uri {
    const url = new URL(text);
    return url.protocol === 'file:'
      ? Uri.file(fileURLToPath(url))
      : new Uri(url.protocol.slice(0, -1), decodeURIComponent(url.pathname));
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(base.scheme, path.posix.join(base.path, ...parts));
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return this.scheme === 'file' ? pathToFileURL(this.path).href : `${this.scheme}:${this.path}`;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...bounds: [Position, Position] | [number, number, number, number]) {
    [this.start, this.end] =
      bounds.length === 2 ? bounds : [new Position(bounds[0], bounds[1]), new Position(bounds[2], bounds[3])];
  }
}

export class Selection extends Range {}

export class Location {
  readonly uri: Uri;
  readonly range: Range;

  constructor(uri: Uri, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number | undefined;

  constructor(label: string, collapsibleState?: number) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class MarkdownString {
  value: string;
  isTrusted: unknown;

  constructor(value = '') {
    this.value = value;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendText(text: string): this {
    return this.appendMarkdown(text);
  }
}

export class ThemeColor extends ThemeIcon {}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export const LanguageModelChatMessage = {
  User: (content: unknown) => ({ role: 'user', content }),
  Assistant: (content: unknown) => ({ role: 'assistant', content }),
};

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const TextEditorRevealType = { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 };
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export class TabInputWebview {}

export class ChatRequestTurn {
  readonly prompt: string;
  readonly command: string | undefined;

  constructor(prompt: string, command?: string) {
    this.prompt = prompt;
    this.command = command;
  }
}

export class ChatResponseMarkdownPart {
  readonly value: { value: string };

  constructor(value: string) {
    this.value = { value };
  }
}

export class ChatResponseTurn {
  readonly response: ChatResponseMarkdownPart[];

  constructor(...response: ChatResponseMarkdownPart[]) {
    this.response = response;
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolCallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;

  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}

export class LanguageModelToolResultPart {
  readonly callId: string;
  readonly content: unknown[];

  constructor(callId: string, content: unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}

export class LanguageModelToolResult {
  readonly content: LanguageModelTextPart[];

  constructor(content: LanguageModelTextPart[]) {
    this.content = content;
  }
}

export class McpStdioServerDefinition {
  readonly label: string;
  readonly command: string;
  readonly args: string[];
  env: Record<string, string | number | null>;

  constructor(label: string, command: string, args: string[], env: Record<string, string | number | null> = {}) {
    this.label = label;
    this.command = command;
    this.args = args;
    this.env = env;
  }
}

export const l10n = {
  t: (message: string, ...values: unknown[]): string =>
    message.replace(/\{(\d+)\}/g, (_whole, index: string) => String(values[Number(index)])),
};

export const UIKind = { Desktop: 1, Web: 2 };
export const env = { language: 'en', uiKind: UIKind.Desktop };
export const version = '1.104.0';

/** An event that nothing brings about. */
const never = (): { dispose(): void } => ({ dispose: () => undefined });

interface Folder {
  uri: Uri;
  name: string;
  index: number;
}

/** What the window shows and how the person answers; tests replace these. */
export const window = {
  activeTextEditor: undefined as unknown,
  visibleTextEditors: [] as unknown[],
  onDidChangeTextEditorSelection: (_listener: () => void): { dispose(): void } => never(),
  onDidChangeActiveTextEditor: (_listener: () => void): { dispose(): void } => never(),
  tabGroups: { activeTabGroup: {} as unknown, all: [] as unknown[] },
  onDidChangeWindowState: never,
  showQuickPick: async (..._arguments: unknown[]): Promise<unknown> => undefined,
  createQuickPick: (): unknown => undefined,
  showTextDocument: async (..._arguments: unknown[]): Promise<unknown> => undefined,
  setStatusBarMessage: (..._arguments: unknown[]): void => undefined,
  createTextEditorDecorationType: (..._arguments: unknown[]): unknown => ({}),
  showWarningMessage: async (..._arguments: unknown[]): Promise<unknown> => undefined,
  showInformationMessage: async (..._arguments: unknown[]): Promise<unknown> => undefined,
  showInputBox: async (..._arguments: unknown[]): Promise<unknown> => undefined,
  /** Runs the task with a cancellation that `cancelProgress` brings about. */
  withProgress: async (
    options: { title: string },
    task: (progress: unknown, token: unknown) => Promise<unknown>,
  ): Promise<unknown> => {
    const cancelled = new EventEmitter<void>();
    progress.shown.push(options.title);
    progress.cancel = () => cancelled.fire();
    return task({}, { isCancellationRequested: false, onCancellationRequested: cancelled.event });
  },
};

/** The progress that was shown, and what its Cancel does. */
export const progress = { shown: [] as string[], cancel: (): void => undefined };

export const commands = { executeCommand: async (..._arguments: unknown[]): Promise<unknown> => undefined };

export const lm = {
  onDidChangeChatModels: never,
  selectChatModels: async (..._arguments: unknown[]): Promise<unknown[]> => [],
};

export const workspace = {
  workspaceFolders: undefined as Folder[] | undefined,
  isTrusted: false,
  onDidChangeWorkspaceFolders: never,
  onDidChangeConfiguration: never,
  onDidGrantWorkspaceTrust: never,
  getConfiguration: (_section?: string, _scope?: unknown) => ({ get: (_key: string): unknown => undefined }),
  fs: { stat: async (_uri: Uri): Promise<{ type: number }> => ({ type: FileType.Directory }) },
  name: undefined as string | undefined,
  findFiles: async (..._arguments: unknown[]): Promise<unknown[]> => [],
  registerTextDocumentContentProvider: (..._arguments: unknown[]) => never(),
  openTextDocument: async (..._arguments: unknown[]): Promise<unknown> => undefined,
  asRelativePath: (uri: Uri): string => uri.path,
  /** The innermost folder that holds the file. */
  getWorkspaceFolder: (uri: Uri): Folder | undefined =>
    (workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === uri.scheme && `${uri.path}/`.startsWith(`${folder.uri.path}/`))
      .sort((a, b) => b.uri.path.length - a.uri.path.length)[0],
};

const untouched = { window: { ...window }, commands: { ...commands }, workspace: { ...workspace }, lm: { ...lm } };

/** An editor without folders, in which nobody answers anything. */
export function resetVscode(): void {
  Object.assign(window, untouched.window);
  Object.assign(commands, untouched.commands);
  Object.assign(workspace, untouched.workspace);
  Object.assign(lm, untouched.lm);
  progress.shown = [];
}

/** Opens folders under these names, all on disk where no scheme is given. */
export function openFolders(...folders: { path: string; name: string; scheme?: string }[]): void {
  workspace.workspaceFolders = folders.map(({ path: absolute, name, scheme }, index) => ({
    uri: scheme === undefined ? Uri.file(absolute) : Uri.parse(`${scheme}:${absolute}`),
    name,
    index,
  }));
}
