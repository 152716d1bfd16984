import type { Locator } from 'playwright-core';
import type { Workbench } from '../../../scripts/vscode-host/workbench.ts';

const replyLimit = 120_000;

/** The editor's own chat view, as a person uses it. */
export class NativeChatView {
  readonly workbench: Workbench;
  readonly view: Locator;

  private constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.view = workbench.page.locator('.part.auxiliarybar .interactive-session');
  }

  static async open(workbench: Workbench): Promise<NativeChatView> {
    const chat = new NativeChatView(workbench);
    await workbench.page.keyboard.press('Control+Alt+I');
    await chat.input.waitFor();
    return chat;
  }

  get input(): Locator {
    return this.view.locator('.interactive-input-editor .monaco-editor').first();
  }

  /** The newest reply. */
  get reply(): Locator {
    return this.view.locator('.interactive-response.chat-most-recent-response');
  }

  /** Places in files that the newest reply points to. */
  get anchors(): Locator {
    return this.reply.locator('a.chat-inline-anchor-widget');
  }

  /** What the newest reply proposes to ask next, by its label. */
  followup(label: string): Locator {
    return this.view.locator('.interactive-followup-reply', { hasText: label });
  }

  /** Chooses what the newest reply proposes, and waits for the end of the reply to that. */
  async follow(label: string): Promise<void> {
    const button = this.followup(label);
    await this.#awaitRest(button);
    await this.awaitReply(label, () => button.click());
  }

  /** Opens a place that the newest reply points to, the first that holds the text. */
  async openAnchor(text: string): Promise<void> {
    const anchor = this.anchors.filter({ hasText: text }).first();
    await this.#awaitRest(anchor);
    await anchor.click();
  }

  /**
   * Brings a part of the newest reply into view, and waits until it stays where it is. The list that the reply stands
   * in moves while it grows, and a press of the mouse that moves away from its button is none.
   */
  async #awaitRest(part: Locator): Promise<void> {
    await part.scrollIntoViewIfNeeded();
    let last = '';
    for (const until = Date.now() + replyLimit; Date.now() < until; await this.workbench.page.waitForTimeout(250)) {
      const box = JSON.stringify(await part.boundingBox());
      if (box === last) return;
      last = box;
    }
  }

  /** Types `@participant text`, sends it and waits for the end of the reply. */
  async ask(message: string): Promise<void> {
    await this.type(message);
    await this.awaitReply(message, () => this.workbench.page.keyboard.press('Enter'));
  }

  /** Writes a message into the input, in place of what stands there: a participant that has just answered does. */
  async type(message: string): Promise<void> {
    const { keyboard } = this.workbench.page;
    await this.input.click();
    await keyboard.press('Control+A');
    await keyboard.press('Delete');
    await keyboard.insertText(message);
    await this.input.locator('.view-lines', { hasText: message.split(' ').at(-1) }).waitFor();
    await keyboard.press('Escape'); // the list of participants and commands that opens while one types
  }

  /**
   * Does what sends a message, and waits for the end of the reply to it. The message itself may be out of view by then,
   * above a long reply, and what is out of view is not in the page.
   */
  async awaitReply(message: string, send: () => Promise<void>): Promise<void> {
    const before = (await this.reply.count()) === 0 ? null : await this.#replyRow();
    await send();
    for (const until = Date.now() + replyLimit; Date.now() < until; await this.workbench.page.waitForTimeout(100)) {
      if (
        (await this.reply.count()) === 1 &&
        (await this.#replyRow()) !== before &&
        !((await this.reply.getAttribute('class')) ?? '').includes('chat-response-loading')
      )
        return;
    }
    const shown = await this.view.locator('.interactive-request, .interactive-response').allInnerTexts();
    throw new Error(`the reply to "${message}" did not end within ${replyLimit} ms; in view: ${shown.join('\n---\n')}`);
  }

  /** Which row of the conversation the newest reply is. */
  async #replyRow(): Promise<string | null> {
    return await this.view
      .locator('.monaco-list-row', { has: this.workbench.page.locator('.chat-most-recent-response') })
      .getAttribute('data-index');
  }
}
