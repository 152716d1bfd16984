import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';

/** The panel in the side bar, as a person uses it. */
export class HoptrailPanel {
  readonly workbench: Workbench;
  readonly frame: FrameLocator;

  private constructor(workbench: Workbench, frame: FrameLocator) {
    this.workbench = workbench;
    this.frame = frame;
  }

  static async open(workbench: Workbench): Promise<HoptrailPanel> {
    await workbench.openContainer('Hoptrail');
    return new HoptrailPanel(workbench, await workbench.webview('.composer textarea'));
  }

  /** The panel that something else has brought to the front. */
  static async shown(workbench: Workbench): Promise<HoptrailPanel> {
    return new HoptrailPanel(workbench, await workbench.webview('.composer textarea'));
  }

  get input(): Locator {
    return this.frame.locator('.composer textarea');
  }

  /** What the panel says of the index; not there once that is ready. */
  get indexStrip(): Locator {
    return this.frame.locator('.index-strip');
  }

  /** The newest question with all that belongs to it. */
  get turn(): Locator {
    return this.frame.locator('article.turn').last();
  }

  get answer(): Locator {
    return this.turn.locator('.answer');
  }

  /** The hops of the trail: each opens its passage. */
  get hops(): Locator {
    return this.turn.locator('.hop-open');
  }

  /** Waits until every passage can be searched by words and by meaning. */
  async waitForIndex(limit = 300_000): Promise<void> {
    await this.frame.locator('.empty, article.turn').first().waitFor();
    const { page } = this.workbench;
    await page
      .locator('.statusbar-item[aria-label*="The index is up to date"]')
      .waitFor({ timeout: limit })
      .catch(async (error: unknown) => {
        const item = page.locator('.statusbar-item[id*="hoptrail" i]');
        const said = await item.evaluateAll((items) => items.map((each) => each.getAttribute('aria-label')));
        throw new Error(`the status bar says of the index: ${said.join(', ') || 'nothing'}`, { cause: error });
      });
    await this.indexStrip.waitFor({ state: 'detached', timeout: limit }).catch(async (error: unknown) => {
      throw new Error(`the panel says of the index: ${await this.indexStrip.innerText()}`, { cause: error });
    });
  }

  /** Types a question, sends it, waits for the end of its run. */
  async ask(question: string, limit = 120_000): Promise<void> {
    await this.awaitTurn(async () => {
      await this.input.fill(question);
      await this.input.press('Enter');
    }, limit);
    assert.equal(await this.turn.locator('.question').textContent(), question);
  }

  /** Does what asks a question, and waits for the end of its run. */
  async awaitTurn(ask: () => Promise<void>, limit = 120_000): Promise<void> {
    const asked = await this.frame.locator('article.turn').count();
    await ask();
    await this.frame.locator('article.turn').nth(asked).waitFor({ timeout: limit });
    await this.frame.locator('article.turn:not(.running)').nth(asked).waitFor({ timeout: limit });
  }

  /** A button of the newest turn by its name. */
  button(name: string): Locator {
    return this.turn.getByRole('button', { name, exact: true });
  }

  /** File and first line behind a citation's mark, as it says for those who cannot see. */
  async placeOfCitation(mark: Locator): Promise<{ path: string; line: number }> {
    const label = await mark.getAttribute('aria-label');
    const match = /: (.+), line (\d+)$/.exec(label ?? '');
    assert.ok(match, `a citation says where it leads: ${label}`);
    return { path: match[1] ?? '', line: Number(match[2]) };
  }
}
