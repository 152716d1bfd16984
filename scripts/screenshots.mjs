// Takes the pictures of docs/interface.md and of the walkthrough in a real VS Code.
//
//   npm run build && node --import tsx scripts/screenshots.mjs [--only NAME[,NAME]]
//
// Every state of the panel is shown in the real webview, in three themes, at 280 pixels in the side bar and at 900 in an editor;
// states that cannot be brought about at will (a crashed index, say) are told to the webview by the messages that lead to them.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { panelStates } from '../test/doubles/panel-states.ts';
import { copyExample } from '../test/host/ui/workspace-copy.ts';
import { demoQuestion } from './demo-question.ts';
import { launchBrowser } from './vscode-host/browser.ts';
import { VscodeHost } from './vscode-host/host.ts';
import { repositoryRoot } from './vscode-host/locations.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const only = options.only?.split(',');
const pictures = path.join(repositoryRoot, 'docs', 'screenshots');
const themes = { dark: 'Default Dark Modern', light: 'Default Light Modern', 'high-contrast': 'Default High Contrast' };
const quiet = { 'workbench.colorTheme': themes.dark, 'editor.minimap.enabled': false, 'window.commandCenter': false, 'chat.commandCenter.enabled': false, 'workbench.layoutControl.enabled': false };
const wanted = (name) => only === undefined || only.includes(name);

/** Joins pictures into one, side by side or one below the other. */
async function join(browser, file, images, direction) {
  const page = await browser.newPage({ viewport: { width: 3000, height: 3000 } });
  const tags = images.map((image) => `<img alt="" src="data:image/png;base64,${image.toString('base64')}">`).join('');
  await page.setContent(`<body style="margin:0;display:inline-flex;flex-direction:${direction};gap:8px;background:#808080">${tags}</body>`);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
  mkdirSync(path.dirname(file), { recursive: true });
  await page.locator('body').screenshot({ path: file });
  await page.close();
  console.log(path.relative(repositoryRoot, file));
}

/** Shows a state in the webview and waits until it is drawn. */
async function show(frame, messages) {
  await frame.locator('body').evaluate(async (_body, list) => {
    for (const message of list) window.postMessage(message, '*');
    await new Promise((resolve) => { setTimeout(resolve, 250); });
  }, messages);
}

/** All states in one place of the window, in every theme; one picture per state. */
async function takeStates(host, workbench, browser, place) {
  const states = Object.entries(panelStates(Date.now())).filter(([name]) => wanted(name));
  const taken = new Map(states.map(([name]) => [name, []]));
  for (const theme of Object.values(themes)) {
    host.writeSettings({ ...quiet, 'workbench.colorTheme': theme });
    await workbench.page.waitForTimeout(2500); // the theme reaches the webview by a message of its own
    const frame = await workbench.webview(`body[data-place=${place.kind}] .composer`);
    for (const [name, messages] of states) {
      await show(frame, messages);
      taken.get(name).push(await place.area.screenshot());
    }
  }
  for (const [name, images] of taken) await join(browser, path.join(pictures, `${name}-${place.width}.png`), images, place.width < 500 ? 'row' : 'column');
}

async function realUse(host, workbench) {
  const { page } = workbench;
  const frame = await workbench.webview('body[data-place=view] .composer');
  const walkthrough = path.join(repositoryRoot, 'media', 'walkthrough');
  const side = page.locator('.part.sidebar');
  await frame.locator('.composer textarea').fill(demoQuestion);
  await frame.locator('.composer textarea').press('Enter');
  await frame.locator('.toolbar').last().waitFor({ timeout: 120_000 });
  await page.waitForTimeout(500);
  await side.screenshot({ path: path.join(walkthrough, 'ask.png') });
  await frame.locator('.hop-open').first().click();
  await page.waitForTimeout(1500);
  await workbench.runCommand('Hoptrail: Go to Next Hop');
  await page.mouse.move(700, 700);
  await page.waitForTimeout(4500); // until the mark on the lines has faded and the file is coloured
  await page.screenshot({ path: path.join(pictures, 'trail-walked.png') });
  await frame.locator('.trail').last().screenshot({ path: path.join(walkthrough, 'trail.png') });
  await workbench.runCommand('Hoptrail: Choose Model');
  await page.waitForTimeout(1200);
  await page.locator('.quick-input-widget').screenshot({ path: path.join(walkthrough, 'model.png') });
  await page.keyboard.press('Escape');
  await workbench.runCommand('Hoptrail: Quick Answer');
  await page.locator('.quick-input-title', { hasText: 'Quick Answer' }).waitFor();
  await page.mouse.move(700, 700);
  await page.keyboard.type('battery pack below zero', { delay: 20 });
  await page.waitForTimeout(2500);
  await page.screenshot({ path: path.join(pictures, 'quick-answer-typing.png') });
  await page.locator('.quick-input-widget input').first().fill(demoQuestion);
  await page.waitForTimeout(2000);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Open in Panel' }).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(300);
  await page.screenshot({ path: path.join(pictures, 'quick-answer.png') });
  await page.keyboard.press('Escape');
  await page.locator('.statusbar-item', { hasText: 'Hoptrail' }).first().hover();
  await page.waitForTimeout(1200);
  await page.screenshot({ path: path.join(pictures, 'status-bar.png'), clip: { x: page.viewportSize().width - 560, y: page.viewportSize().height - 300, width: 560, height: 300 } });
  await page.mouse.move(600, 200);
  await page.keyboard.press('Escape');
  await workbench.runCommand('Hoptrail: Show Index Report');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(pictures, 'index-report.png') });
}

mkdirSync(pictures, { recursive: true });
mkdirSync(path.join(repositoryRoot, 'media', 'walkthrough'), { recursive: true });
const workspace = copyExample('notes');
const host = await VscodeHost.open({ linked: [repositoryRoot], folders: [workspace.folder], settings: quiet, viewport: { width: 1280, height: 800 } });
const browser = await launchBrowser();
try {
  const workbench = await host.openWindow();
  await workbench.openContainer('Hoptrail');
  await workbench.setSideBarWidth(280);
  const frame = await workbench.webview('body[data-place=view] .composer');
  await frame.locator('.suggestion').first().waitFor({ timeout: 120_000 });
  if (wanted('use')) await workbench.page.locator('.part.sidebar').screenshot({ path: path.join(repositoryRoot, 'media', 'walkthrough', 'index.png') });
  await workbench.page.locator('.statusbar-item[aria-label*="The index is up to date"]').waitFor({ timeout: 300_000 }); // no more news of the index from here on
  if (wanted('use')) await realUse(host, workbench);
  await workbench.page.setViewportSize({ width: 1280, height: 900 });
  await workbench.setSideBarWidth(280);
  await takeStates(host, workbench, browser, { kind: 'view', width: 280, area: workbench.page.locator('.part.sidebar') });
  await workbench.runCommand('Hoptrail: Open Panel in Editor');
  await workbench.webview('body[data-place=editor] .composer');
  await workbench.runCommand('View: Close Primary Side Bar');
  await workbench.page.setViewportSize({ width: 960, height: 800 });
  await workbench.page.waitForTimeout(500);
  await takeStates(host, workbench, browser, { kind: 'editor', width: 900, area: workbench.page.locator('.editor-group-container').first() });
} finally {
  await browser.close();
  await host.close();
  workspace.remove();
}
