import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { after, afterEach, before, beforeEach } from 'mocha';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/vscode-host/browser.ts';
import { repositoryRoot as root } from '../../scripts/vscode-host/locations.ts';
import type {
  FromWebview,
  IndexState,
  Thread,
  ThreadSummary,
  ThreadTurn,
  ToWebview,
} from '../../src/vscode/protocol.ts';
import type { ResearchEvent } from '../../src/research/domain/research-event.ts';
import { panelHtml } from '../../src/vscode/panel/panel-html.ts';

const ORIGIN = 'https://panel.test';

export type ThemeName = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

/** Variables and body class of the editor's own themes, as a webview gets them. */
interface Theme {
  variables: Record<string, string>;
  bodyClass: string;
}

function theme(name: ThemeName): Theme {
  return (JSON.parse(readFileSync(path.join(root, 'test/fixtures/themes.json'), 'utf8')) as Record<ThemeName, Theme>)[
    name
  ];
}

let bundle: Promise<Map<string, Uint8Array>> | undefined;

async function bundlePanel(): Promise<Map<string, Uint8Array>> {
  const result = await esbuild.build({
    entryPoints: [path.join(root, 'webview/main.ts')],
    bundle: true,
    format: 'iife',
    target: 'chrome128',
    write: false,
    outdir: '/panel',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    logLevel: 'silent',
  });
  return new Map(result.outputFiles.map((file) => [path.basename(file.path), file.contents]));
}

const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** The panel in a page of its own, under the page's real content security policy, with a scripted editor behind it. */
export class PanelPage {
  readonly page: Page;
  /** What the browser complained about: policy violations, errors. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(
    browser: Browser,
    options: {
      theme?: ThemeName;
      width?: number;
      height?: number;
      state?: unknown;
      place?: 'view' | 'editor';
      focused?: boolean;
      /** Texts of another language, by the English ones. */
      translations?: Record<string, string>;
      /** Of the browser: how it writes numbers, and what day it is. */
      locale?: string;
      timezoneId?: string;
    } = {},
  ): Promise<PanelPage> {
    const files = await (bundle ??= bundlePanel());
    const context = await browser.newContext({
      viewport: { width: options.width ?? 360, height: options.height ?? 900 },
      locale: options.locale,
      timezoneId: options.timezoneId,
    });
    const page = await context.newPage();
    const panel = new PanelPage(page);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') panel.complaints.push(message.text());
    });
    page.on('pageerror', (error) => panel.complaints.push(String(error)));
    const { variables, bodyClass } = theme(options.theme ?? 'dark');
    // As text: the loader of the tests rewrites functions in ways that a page does not understand.
    await page.addInitScript({
      content: `
      const given = ${JSON.stringify({ variables, bodyClass, state: options.state ?? null })};
      window.posted = [];
      if (${options.focused === false}) document.hasFocus = () => false;
      window.acquireVsCodeApi = () => ({
        postMessage: (message) => { window.posted.push(message); },
        getState: () => given.state ?? undefined,
        setState: (next) => { window.kept = next; },
      });
      document.addEventListener('DOMContentLoaded', () => {
        for (const [name, value] of Object.entries(given.variables)) document.documentElement.style.setProperty(name, value);
        document.body.classList.add(...given.bodyClass.split(' '));
        document.documentElement.style.background = 'var(--vscode-sideBar-background, var(--vscode-editor-background))';
      });`,
    });
    await page.route(`${ORIGIN}/**`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (name === '') {
        const body = panelHtml({
          cspSource: ORIGIN,
          nonce: 'test',
          scriptUri: `${ORIGIN}/main.js`,
          styleUri: `${ORIGIN}/main.css`,
          language: 'en',
          title: 'Hoptrail',
          place: options.place ?? 'view',
          translations: options.translations ?? {},
        });
        return route.fulfill({ contentType: 'text/html', body });
      }
      const content = files.get(name);
      return content
        ? route.fulfill({ contentType: types[path.extname(name)] ?? 'text/plain', body: Buffer.from(content) })
        : route.fulfill({ status: 404 });
    });
    await page.goto(ORIGIN);
    await page.locator('.composer').waitFor({ state: 'attached' });
    return panel;
  }

  /** Sends messages as the extension would, and waits until they are drawn. */
  async send(...messages: ToWebview[]): Promise<void> {
    await this.page.evaluate(async (list) => {
      for (const message of list) window.postMessage(message, '*');
      await new Promise((resolve) => setTimeout(resolve, 0));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, messages);
  }

  /** Puts the pointer on an element where it is to stay: what is scrolled to takes its true height a frame later. */
  async hover(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    await this.#drawn();
    await target.hover();
  }

  /** Resolves two frames from now. */
  async #drawn(): Promise<void> {
    await this.page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
  }

  /** Opens the list of threads as a person does, with what the extension says then. */
  async openThreads(threads: ThreadSummary[], activeId: string | null): Promise<void> {
    await this.page.locator('.thread-button[aria-expanded=false]').click();
    await this.send({ type: 'threads', threads, activeId });
  }

  /** What has the keyboard, in a word: the name of a control or its class; `body` when nothing has. */
  async focused(): Promise<string> {
    return this.page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      return element === document.body
        ? 'body'
        : (element.getAttribute('aria-label') ?? element.classList[0] ?? element.localName);
    });
  }

  /** What the page has sent. */
  async posted(): Promise<FromWebview[]> {
    return this.page.evaluate(() => (window as unknown as { posted: FromWebview[] }).posted);
  }

  /** What the panel has sent of one kind. */
  async postedOf<T extends FromWebview['type']>(type: T): Promise<Extract<FromWebview, { type: T }>[]> {
    return (await this.posted()).filter(
      (message): message is Extract<FromWebview, { type: T }> => message.type === type,
    );
  }

  async kept(): Promise<unknown> {
    return this.page.evaluate(() => (window as unknown as { kept: unknown }).kept);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** Ends a test: the browser must have complained of nothing. */
  async end(): Promise<void> {
    assert.deepEqual(this.complaints, []);
    await this.close();
  }
}

/** One browser for the tests of a suite. */
export function browserForSuite(): () => Browser {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
  });
  return () => browser;
}

/**
 * A fresh panel for each test of a suite, which its end looks over for errors and sends.
 * @param given called with each panel before its test
 */
export function panelForSuite(given: (panel: PanelPage) => void): {
  browser: () => Browser;
  posted: PanelPage['postedOf'];
  /** Opens the panel anew with what it kept of itself, as the editor does. */
  reload: () => Promise<void>;
} {
  const browser = browserForSuite();
  let panel: PanelPage;
  const open = async (state?: unknown): Promise<void> => {
    panel = await PanelPage.open(browser(), { state });
    given(panel);
  };
  beforeEach(() => open());
  afterEach(() => panel.end());
  const reload = async (): Promise<void> => {
    const kept = await panel.kept();
    await panel.end();
    await open(kept);
  };
  return { browser, posted: (type) => panel.postedOf(type), reload };
}

export const readyIndex: IndexState = {
  phase: 'ready',
  coverage: { files: 63, passages: 412, embedded: 412, indexing: false },
  filesTotal: 63,
  filesDone: 63,
  passagesToEmbed: 0,
  passagesEmbedded: 412,
  passagesPerSecond: 0,
  embedderId: 'bge-small-en-v1.5/q8/cls',
  bytes: 4_200_000,
  notices: [],
};

export const openWorkspace: ToWebview = { type: 'workspace', name: 'notes', trusted: true, supported: true };

export function turnOf(events: readonly ResearchEvent[], extra: Partial<ThreadTurn> = {}): ThreadTurn {
  const start = events.find((event) => event.type === 'run-start');
  return {
    runId: events[0]?.runId ?? '',
    question: start?.asked ?? '',
    scope: { kind: 'workspace' },
    events: [...events],
    cutOff: false,
    ...extra,
  };
}

/** The messages that show a thread of these turns in a workspace that is ready. */
export function threadMessages(turns: readonly ThreadTurn[], model: string | null = 'gpt-4o'): ToWebview[] {
  const thread: Thread = {
    id: 'thread',
    title: turns[0]?.question ?? '',
    updated: Date.UTC(2024, 10, 21),
    turns: [...turns],
  };
  return [
    openWorkspace,
    { type: 'index-state', state: readyIndex },
    { type: 'model-state', model: { id: model, name: model } },
    { type: 'thread', thread },
  ];
}
