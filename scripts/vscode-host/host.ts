import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { artifactsDirectory } from './locations.ts';
import { startServer, workbenchAddress, type HostServer, type ServerOptions } from './server.ts';
import { Workbench } from './workbench.ts';

/** What is opened; the extension comes by `linked` or `vsix`. */
export interface HostOptions extends ServerOptions {
  /** Absolute paths; several make a multi-root workspace, none an empty window. */
  folders: string[];
  /** Size of a new window in CSS pixels; 1280 × 800 when undefined. */
  viewport?: { width: number; height: number };
}

/** Browser windows on one VS Code server: what a person has in front of them. */
export class VscodeHost {
  /** What a window opens: the folder, or a .code-workspace file over several; undefined: nothing. */
  readonly target: string | undefined;
  readonly server: HostServer;
  readonly #browser: Browser;
  readonly #options: HostOptions;
  readonly #temporary: string;
  #profile: BrowserContext | undefined;

  private constructor(
    server: HostServer,
    browser: Browser,
    options: HostOptions,
    temporary: string,
    target: string | undefined,
  ) {
    this.server = server;
    this.#browser = browser;
    this.#options = options;
    this.#temporary = temporary;
    this.target = target;
  }

  static async open(options: HostOptions): Promise<VscodeHost> {
    const temporary = mkdtempSync(path.join(os.tmpdir(), 'hoptrail-workspace-'));
    const workspaceFile = path.join(temporary, 'several.code-workspace');
    writeFileSync(workspaceFile, JSON.stringify({ folders: options.folders.map((folder) => ({ path: folder })) }));
    const server = await startServer(options);
    try {
      return new VscodeHost(
        server,
        await launchBrowser(),
        options,
        temporary,
        options.folders.length > 1 ? workspaceFile : options.folders[0],
      );
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /**
   * Opens a window and waits for its workbench. Windows share one browser profile, like the windows of one person; with
   * its extension host each, so that two windows on one workspace are two processes on one index.
   */
  async openWindow(): Promise<Workbench> {
    const viewport = this.#options.viewport ?? { width: 1280, height: 800 };
    this.#profile ??= await this.#browser.newContext({ viewport, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await this.#profile.newPage();
    await page.goto(workbenchAddress(this.server, this.target), { timeout: 120_000 });
    const workbench = new Workbench(page);
    await workbench.ready();
    return workbench;
  }

  /** Changes settings of all open windows; they replace those given at the start. */
  writeSettings(settings: Record<string, unknown>): void {
    this.server.writeSettings(settings);
  }

  /** Saves what every window shows, for people who look into a failure, and says it in words. */
  async capture(name: string): Promise<string> {
    mkdirSync(artifactsDirectory, { recursive: true });
    const seen: string[] = [];
    for (const [index, page] of (this.#profile?.pages() ?? []).entries()) {
      await page.screenshot({
        path: path.join(artifactsDirectory, `${name.replace(/[^\w-]+/g, '-')}-${index + 1}.png`),
      });
      seen.push(`window ${index + 1}: ${await new Workbench(page).inWords()}`);
    }
    return seen.join('\n');
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.stop();
    rmSync(this.#temporary, { recursive: true, force: true });
  }
}
