import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';

const startLimit = 120_000;
const stepLimit = 45_000;

/** Drives one VS Code window as a person would: by keyboard, by pointer, by what is on the screen. */
export class Workbench {
  readonly page: Page;
  /** Errors that the page's console showed, for reports. */
  readonly consoleErrors: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(stepLimit);
    page.on('console', (message) => {
      if (message.type() === 'error') this.consoleErrors.push(message.text());
    });
  }

  /** Waits until the workbench can be used. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .activitybar').waitFor({ timeout: startLimit });
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: startLimit });
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Runs a command by its title in the command palette, `Category: Title`. */
  async runCommand(title: string): Promise<void> {
    const row = await this.#findInPalette(title);
    await row.click();
  }

  /** Titles that the palette offers for a search. */
  async offeredCommands(search: string): Promise<string[]> {
    const input = await this.#openPalette(`>${search}`);
    await this.page.waitForTimeout(500); // the list is filled step by step and says nowhere that it is complete
    const rows = await this.page.locator('.quick-input-list .monaco-list-row .label-name').allTextContents();
    await input.press('Escape');
    return rows;
  }

  async #openPalette(text: string): Promise<Locator> {
    const input = this.page.locator('.quick-input-widget input[type=text]').first();
    // A webview that takes the focus when it is ready closes the palette under the hands of whoever types: open it
    // again.
    for (const until = Date.now() + startLimit; ;) {
      await this.page.keyboard.press('F1');
      const filled = await input.fill(text, { timeout: 5_000 }).then(
        () => true,
        (error: unknown) => error,
      );
      if (filled === true) return input;
      if (Date.now() > until) throw filled;
    }
  }

  async #findInPalette(title: string): Promise<Locator> {
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    // An open list does not learn of commands whose extension is read later: look again, and longer each time where all
    // is slow.
    for (let until = Date.now() + startLimit, wait = 1_500; Date.now() < until; wait = Math.min(wait * 2, 12_000)) {
      const input = await this.#openPalette(`>${title}`);
      if (
        await row.waitFor({ timeout: wait }).then(
          () => true,
          () => false,
        )
      )
        return row;
      await input.press('Escape');
    }
    throw new Error(`the command palette does not offer "${title}" within ${startLimit} ms`);
  }

  /**
   * Runs a command and chooses an entry of the list that it opens. A list closes when something else takes the focus,
   * such as a webview that is ready late: then the command is run again.
   */
  async runAndChoose(command: string, entry: string): Promise<void> {
    const row = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: entry }).first();
    for (const until = Date.now() + startLimit; ;) {
      await this.runCommand(command);
      const chosen = await row.click({ timeout: 10_000 }).then(
        () => true,
        (error: unknown) => error,
      );
      if (chosen === true) return;
      if (Date.now() > until) throw chosen;
    }
  }

  /** Opens a view container by the label of its icon in the activity bar. An open one stays open. */
  async openContainer(label: string): Promise<void> {
    const icon = this.page
      .locator('.activitybar .action-item')
      .filter({ has: this.page.locator(`a.action-label[aria-label^="${label}"]`) })
      .first();
    await icon.waitFor({ timeout: startLimit });
    const isOpen = async (): Promise<boolean> =>
      (await icon.getAttribute('aria-selected')) === 'true' ||
      ((await icon.getAttribute('class')) ?? '').includes('checked');
    // A window that starts restores its side bar late: a click may have closed what was just being opened.
    for (const until = Date.now() + startLimit; Date.now() < until;) {
      if (!(await isOpen())) await icon.click();
      for (let look = 0; look < 10 && !(await isOpen()); look++) await this.page.waitForTimeout(200);
      if (await isOpen()) return;
    }
    throw new Error(`${label} does not open within ${startLimit} ms`);
  }

  /**
   * The document inside a webview. A webview is two nested frames, hidden ones stay in the page, and nothing outside
   * says whose they are: it is found by what it shows.
   * @param selector an element that this webview alone has
   * @param text that the element must hold; any when undefined
   */
  async webview(selector: string, text?: string | RegExp, limit = startLimit): Promise<FrameLocator> {
    const until = Date.now() + limit;
    while (Date.now() < until) {
      for (const outer of await this.page.locator('iframe.webview.ready').all()) {
        const inner = outer.contentFrame().frameLocator('#active-frame');
        const found = text === undefined ? inner.locator(selector) : inner.locator(selector, { hasText: text });
        // A frame that is being replaced throws; the next round sees the new one.
        if ((await found.count().catch(() => 0)) > 0) return inner;
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error(
      `no webview with ${selector}${text === undefined ? '' : ` holding ${String(text)}`} within ${limit} ms`,
    );
  }

  /** What the window shows beside its editors: its status bar, its notifications, and the text of each webview. */
  async inWords(): Promise<string> {
    const labels = (selector: string): Promise<string> =>
      this.page
        .locator(selector)
        .evaluateAll((items) => items.map((item) => item.getAttribute('aria-label') ?? item.textContent).join(' | '));
    const webviews: string[] = [];
    for (const outer of await this.page.locator('iframe.webview').all()) {
      const body = outer.contentFrame().frameLocator('#active-frame').locator('body');
      const text = await body.innerText({ timeout: 2_000 }).catch((error: Error) => `cannot be read: ${error.message}`);
      webviews.push(`${(await outer.isVisible()) ? 'shown' : 'hidden'}: ${text.replace(/\s+/g, ' ').slice(0, 1_500)}`);
    }
    const parts = [
      `status bar: ${await labels('.statusbar-item[aria-label]')}`,
      `notifications: ${await labels('.notification-toast, .notification-list-item')}`,
      ...webviews.map((webview) => `webview, ${webview}`),
    ];
    return parts.join('\n  ');
  }

  /** Opens a file by its name in Quick Open. */
  async openFile(name: string): Promise<void> {
    const input = await this.#openPalette(name); // without its `>` it is Quick Open
    await this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: path.basename(name) })
      .first()
      .waitFor();
    await input.press('Enter');
    await this.activeTab(path.basename(name)).waitFor();
    // The tab comes first; keys go elsewhere until the file is read and its editor has the focus.
    await this.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  }

  /** The tab in front, when it carries this name. */
  activeTab(name: string): Locator {
    return this.page.locator('.editor-group-container.active .tab.active').filter({ hasText: name });
  }

  /** Waits until the editor in front shows the file with the cursor in this line. */
  async waitForCursor(fileName: string, line: number): Promise<void> {
    await this.activeTab(fileName).waitFor();
    await this.statusBarItem(new RegExp(`^Ln ${line},`)).waitFor();
  }

  /** Goes to the first line of the editor in front; one that has just opened may still go where it was left. */
  async goToTop(): Promise<void> {
    const there = this.statusBarItem(/^Ln 1, Col 1/);
    for (let tries = 0; tries < 10; tries++) {
      await this.page.keyboard.press('Control+Home');
      await this.page.waitForTimeout(300);
      if (await there.isVisible()) return;
    }
    throw new Error('the cursor does not go to the first line');
  }

  /** Answers a modal question by the name of its button. */
  async answerDialog(button: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** Saves where a save dialog asks for a place: VS Code's own dialog, which takes a path. */
  async saveAs(file: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input[type=text]').first();
    await input.waitFor();
    // The dialog writes its own proposal into the input when it has looked at the folder, whatever stands there by
    // then: the path must have stood.
    for (let stood = 0; stood < 3; stood = (await input.inputValue()) === file ? stood + 1 : 0) {
      if (stood === 0) await input.fill(file);
      await this.page.waitForTimeout(500);
    }
    await this.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
    await this.activeTab(path.basename(file)).waitFor();
  }

  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text }).first();
  }

  /** Notifications on the screen that hold the text. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-list-item').filter({ hasText: text });
  }

  /** Chooses a colour theme by its name in the picker, such as `Light Modern`. */
  async setTheme(name: string): Promise<void> {
    await this.runCommand('Preferences: Color Theme');
    const input = this.page.locator('.quick-input-widget input[type=text]').first();
    await input.fill(name);
    await this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first().click();
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** Makes the side bar this wide (CSS pixels, ± 2) by dragging its edge. The window must be wider. */
  async setSideBarWidth(width: number): Promise<void> {
    const bar = this.page.locator('.part.sidebar');
    for (let attempt = 0; attempt < 3; attempt++) {
      const box = await bar.boundingBox();
      if (box === null) throw new Error('the side bar is not open');
      if (Math.abs(box.width - width) <= 2) return;
      const edge = box.x + box.width;
      const y = box.y + box.height / 2;
      await this.page.mouse.move(edge, y);
      await this.page.mouse.down();
      await this.page.mouse.move(edge + (width - box.width), y, { steps: 8 });
      await this.page.mouse.up();
    }
    const reached = (await bar.boundingBox())?.width;
    if (reached === undefined || Math.abs(reached - width) > 2)
      throw new Error(`the side bar is ${reached} pixels wide, not ${width}`);
  }

  /** Saves a picture of the window, or of one part of it. */
  async screenshot(file: string, part?: Locator): Promise<void> {
    mkdirSync(path.dirname(file), { recursive: true });
    await (part ?? this.page).screenshot({ path: file });
  }
}
