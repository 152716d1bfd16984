// Takes the pictures of README, docs/interface.md and the walkthrough in a real VS Code.
//
// npm run build && npm run screenshots [-- --only NAME[,NAME]]        `use`: those of real use, else the names of
// states
//
// Every state of the panel is shown in the real webview, in three themes, at 280 pixels in the side bar and at 900 in
// an editor, as docs/screenshots/STATE-THEME-WIDTH.png. The runs in them are real: recorded before, from the command
// line over the examples (pictures/real-runs.ts). States that cannot be brought about at will (a crashed index, say)
// are told to the webview by the messages that lead to them; those of `inWindows` are the window's own. What was learnt
// is learnt in this window, from a scripted model.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FakeOpenAiServer } from '../test/doubles/fake-openai-server.ts';
import { trailAssistantReply } from '../test/doubles/model-scripts/trail-assistant.ts';
import { HoptrailPanel } from '../test/host/ui/hoptrail-panel.ts';
import { multiplyNotes } from '../test/host/ui/workspace-copy.ts';
import { panelStates } from '../test/doubles/panel-states.ts';
import { demoQuestion } from './demo-question.ts';
import { gif } from './pictures/gif.mjs';
import { palettePng } from './pictures/palette-png.mjs';
import { quantise } from './pictures/quantise.mjs';
import { realRuns, SCRIPTED_MODEL } from './pictures/real-runs.ts';
import { launchBrowser } from './vscode-host/browser.ts';
import { VscodeHost } from './vscode-host/host.ts';
import { repositoryRoot } from './vscode-host/locations.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const only = options.only?.split(',');
const wanted = (name) => only === undefined || only.includes(name);
const pictures = path.join(repositoryRoot, 'docs', 'screenshots');
const walkthrough = path.join(repositoryRoot, 'media', 'walkthrough');
const themes = { dark: 'Default Dark Modern', light: 'Default Light Modern', 'high-contrast': 'Default High Contrast' };
const quiet = {
  'workbench.colorTheme': themes.dark,
  'editor.minimap.enabled': false,
  'window.commandCenter': false,
  'chat.commandCenter.enabled': false,
  'workbench.layoutControl.enabled': false,
  'workbench.editor.empty.hint': 'hidden',
};
/** Questions on examples/notes from which the learning page has something to show. */
const learntFrom = [
  demoQuestion,
  'Who keeps our account with Halden Cells?',
  'Which extension does Hamish Adeyemi have?',
  'Who makes the batteries of Mast Power?',
];

/** States of the panel that a window has by itself: with an index, while that is made, where nothing can be read. */
const inWindows = ['empty', 'embedding', 'empty-folder'];
/** So many copies of each note take longer to index than it takes to picture that. */
const COPIES = 24;

/** A page in which pictures are worked on. */
let studio;

async function save(file, png) {
  writeFileSync(file, palettePng(await quantise(studio, png)));
  console.log(path.relative(repositoryRoot, file));
}

/** Shows a state in the webview and waits until it is drawn. */
async function show(frame, messages) {
  await frame.locator('body').evaluate(async (_body, list) => {
    for (const message of list) window.postMessage(message, '*');
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
    document.activeElement?.blur();
    await new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
  }, messages);
}

/** One place of the window in every theme; `take` makes its pictures, by the names that they get. */
async function inThemes(host, workbench, place, take) {
  for (const [theme, label] of Object.entries(themes)) {
    host.writeSettings({ ...quiet, 'workbench.colorTheme': label });
    await workbench.page.waitForTimeout(2500); // the theme reaches the webview by a message of its own
    await take(async (name) =>
      save(path.join(pictures, `${name}-${theme}-${place.width}.png`), await place.area.screenshot()),
    );
  }
  host.writeSettings(quiet);
}

/** States that are told to the panel; `states` makes their messages, by name, for a time. */
async function takeStates(host, workbench, states, place) {
  const chosen = Object.keys(states(0)).filter((name) => wanted(name) && !inWindows.includes(name));
  if (chosen.length === 0) return;
  await inThemes(host, workbench, place, async (take) => {
    const frame = await workbench.webview(place.mark);
    for (const name of chosen) {
      await show(frame, states(Date.now())[name]);
      if (name === 'threads') await openThreads(frame, states(Date.now())[name]);
      await take(name);
    }
  });
}

/** The panel as it is by itself. */
async function takeAsItIs(host, workbench, name, place) {
  if (wanted(name)) await inThemes(host, workbench, place, (take) => take(name));
}

/** The panel in the side bar, 280 pixels wide. */
async function inSideBar(workbench) {
  await workbench.page.setViewportSize({ width: 1280, height: 900 });
  await workbench.setSideBarWidth(280);
  await workbench.page.mouse.move(900, 500);
  return { mark: 'body[data-place=view] .composer', width: 280, area: workbench.page.locator('.part.sidebar') };
}

/** The panel in an editor, 900 pixels wide, with a new thread. */
async function inEditor(workbench) {
  const { page } = workbench;
  const mark = 'body[data-place=editor] .composer';
  await workbench.runCommand('Hoptrail: New Thread');
  const view = await workbench.webview('body[data-place=view] .composer');
  await view.locator('.composer textarea:focus').waitFor(); // which closes a list that is opened before
  await workbench.runCommand('Hoptrail: Open Panel in Editor');
  await workbench.webview(mark);
  await workbench.runCommand('View: Close Primary Side Bar');
  await page.setViewportSize({ width: 956, height: 860 });
  await page.mouse.move(500, 850);
  return { mark, width: 900, area: page.locator('.editor-group-container').first() };
}

/** A state of the panel in a window of its own, which has it by itself once `ready` has waited for it. */
async function takeInWindow(name, folder, ready) {
  if (!wanted(name)) return;
  const other = await VscodeHost.open({ linked: [repositoryRoot], folders: [folder], settings: quiet });
  try {
    const workbench = await other.openWindow();
    await workbench.openContainer('Hoptrail');
    for (const place of [inSideBar, inEditor]) {
      const shown = await place(workbench);
      await ready(await workbench.webview(shown.mark));
      await takeAsItIs(other, workbench, name, shown);
    }
  } finally {
    await other.close();
  }
}

/**
 * People open the list, no message does; the editor then fills it with its own threads, and those of the picture come
 * after.
 */
async function openThreads(frame, messages) {
  await frame.locator('.thread-button').click();
  await frame.locator('.threads').waitFor();
  await show(frame, messages.slice(-1));
}

/** Waits until nothing moves: what fades has faded, what is coloured late is coloured. */
async function settled(page, least = 600) {
  await page.waitForTimeout(least);
  let before = await page.screenshot();
  for (let tries = 0; tries < 10; tries++) {
    await page.waitForTimeout(400);
    const now = await page.screenshot();
    if (now.equals(before)) return;
    before = now;
  }
}

async function realUse(workbench) {
  const { page } = workbench;
  const frames = [];
  const film = async (seconds) =>
    frames.push({ ...(await quantise(studio, await page.screenshot(), { width: 960, colours: 255 })), seconds });
  const frame = await workbench.webview('body[data-place=view] .composer');
  const side = page.locator('.part.sidebar');
  const input = frame.locator('.composer textarea');
  await save(path.join(walkthrough, 'index.png'), await side.screenshot());
  await film(1.5);
  const words = demoQuestion.split(' ');
  for (const part of [1 / 3, 2 / 3, 1]) {
    await input.fill(words.slice(0, Math.ceil(words.length * part)).join(' '));
    await film(part === 1 ? 1 : 0.5);
  }
  await input.press('Enter');
  await frame.locator('.toolbar').last().waitFor({ timeout: 120_000 });
  await settled(page);
  await save(path.join(walkthrough, 'ask.png'), await side.screenshot());
  await film(3.5);
  await frame.locator('.hop-open').first().click();
  const hops = await frame.locator('.hop-open').count();
  for (let hop = 0; hop < hops; hop++) {
    if (hop > 0) await workbench.runCommand('Hoptrail: Go to Next Hop');
    await page.mouse.move(900, 700);
    await settled(page, 3500); // until the mark on the lines has faded and the file is coloured
    await film(2.5);
    if (hop === Math.min(1, hops - 1)) await save(path.join(pictures, 'trail-walked.png'), await page.screenshot());
  }
  await save(path.join(walkthrough, 'trail.png'), await frame.locator('.trail').last().screenshot());
  writeFileSync(path.join(pictures, 'recording.gif'), gif(frames));
  await workbench.runCommand('Hoptrail: Choose Model');
  await settled(page);
  await save(path.join(walkthrough, 'model.png'), await page.locator('.quick-input-widget').screenshot());
  await page.keyboard.press('Escape');
  await workbench.runCommand('Hoptrail: Quick Answer');
  await page.locator('.quick-input-title', { hasText: 'Quick Answer' }).waitFor();
  await page.mouse.move(900, 700);
  await page.locator('.quick-input-widget input').first().fill('battery pack below zero');
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: /\.md:\d+/ })
    .first()
    .waitFor();
  await settled(page);
  await save(path.join(pictures, 'quick-answer-typing.png'), await page.screenshot());
  await page.locator('.quick-input-widget input').first().fill(demoQuestion);
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: demoQuestion.slice(0, 30) })
    .first()
    .waitFor();
  await settled(page);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Open in Panel' }).waitFor({ timeout: 120_000 });
  await settled(page);
  await save(path.join(pictures, 'quick-answer.png'), await page.screenshot());
  await page.keyboard.press('Escape');
  await page.locator('.statusbar-item', { hasText: 'Hoptrail' }).first().hover();
  await settled(page, 1500);
  const { width, height } = page.viewportSize();
  await save(
    path.join(pictures, 'status-bar.png'),
    await page.screenshot({ clip: { x: width - 560, y: height - 300, width: 560, height: 300 } }),
  );
  await page.mouse.move(600, 200);
  await workbench.runCommand('View: Close All Editors');
}

/** Parts of the panel and of its side bar that people reach by a command or a button. */
async function takeParts(host, workbench) {
  if (!['selection', 'question-editor', 'related', 'silent'].some(wanted)) return;
  const { page } = workbench;
  const side = page.locator('.part.sidebar');
  await page.setViewportSize({ width: 1280, height: 800 });
  await workbench.setSideBarWidth(360);
  const panel = await HoptrailPanel.open(workbench);
  await workbench.runCommand('Hoptrail: New Thread');
  await panel.frame.locator('.composer textarea:focus').waitFor(); // which closes a list that is opened before
  if (wanted('selection')) {
    await workbench.openFile('mast-power.md');
    await page.locator('.editor-group-container.active .view-line', { hasText: 'Keeps a mast alive' }).click();
    await page.keyboard.press('Home');
    for (let row = 0; row < 3; row++) await page.keyboard.press('Shift+ArrowDown'); // its two lines are wrapped
    await page.keyboard.press('Shift+End');
    await workbench.runCommand('Hoptrail: Ask About Selection');
    await panel.frame.locator('.composer .chip', { hasText: 'mast-power.md' }).waitFor();
    await panel.input.fill('Who keeps our account with them?');
    await settled(page);
    await save(path.join(pictures, 'selection.png'), await page.screenshot());
    await panel.awaitTurn(() => panel.input.press('Enter'));
  }
  if (wanted('question-editor')) {
    await workbench.runCommand('Hoptrail: New Thread');
    await panel.frame.locator('.empty').waitFor();
    await panel.ask('Who keeps our account with Halden Cell?');
    await panel.turn.locator('.question').hover();
    await panel.button('Edit Question').click();
    await panel.turn.locator('.question-editor textarea').fill('Who keeps our account with Halden Cells?');
    await settled(page);
    await save(path.join(pictures, 'question-editor.png'), await side.screenshot());
    await page.keyboard.press('Escape');
  }
  if (wanted('silent')) await takeSilence(host, workbench, panel);
  if (wanted('related')) {
    await workbench.runCommand('Hoptrail: New Thread');
    await panel.frame.locator('.composer textarea:focus').waitFor();
    await workbench.openFile('halden-cells.md');
    await workbench.runCommand('Hoptrail: Show What Is Related to This File');
    await side.locator('.pane-header', { hasText: 'Ask' }).click(); // all of its groups in view
    for (const group of ['Links here', 'Links to', 'Nearest passages'])
      await side.locator('.monaco-list-row', { hasText: group }).first().waitFor();
    await settled(page);
    await save(path.join(pictures, 'related.png'), await page.screenshot());
    for (const view of ['Related', 'Ask']) await side.locator('.pane-header', { hasText: view }).click();
  }
  await workbench.runCommand('View: Close All Editors');
}

/** A run whose model says no word any more: it is named, and quotes stand in the place of its answer. */
async function takeSilence(host, workbench, panel) {
  const replies = (request, index) => (index < 2 ? trailAssistantReply(request) : { kind: 'hang', after: '' });
  const server = await FakeOpenAiServer.start({ replies });
  try {
    host.writeSettings({ ...withScriptedModel(server.baseUrl), 'hoptrail.research.operator': 'sub-step' });
    await panel.frame.locator('.composer', { hasText: SCRIPTED_MODEL }).waitFor({ timeout: 60_000 });
    await workbench.runCommand('Hoptrail: New Thread');
    await panel.frame.locator('.empty').waitFor();
    await workbench.page.setViewportSize({ width: 1280, height: 1150 }); // steps and quotes in view
    await panel.input.fill(demoQuestion);
    await panel.input.press('Enter');
    await panel.button('Stop, and keep the quotes').waitFor({ timeout: 60_000 });
    await workbench.page.mouse.move(900, 700);
    await workbench.page.waitForTimeout(600);
    await save(path.join(pictures, 'silent.png'), await workbench.page.locator('.part.sidebar').screenshot());
    await panel.button('Stop, and keep the quotes').click();
  } finally {
    host.writeSettings(quiet);
    await server.stop();
  }
}

/** The learning page as it is: before any answer of a language model, after some that were judged, and switched off. */
async function takeLearning(host, workbench) {
  const off = { 'hoptrail.research.learn': false };
  if (wanted('learning-nothing')) await takeLearningPage(host, workbench, 'learning-nothing', {});
  if (wanted('learning-off')) await takeLearningPage(host, workbench, 'learning-off', off);
  if (wanted('learning')) {
    const server = await FakeOpenAiServer.start({ replies: trailAssistantReply });
    try {
      await learnSomething(host, workbench, server.baseUrl);
    } finally {
      await server.stop();
    }
    await takeLearningPage(host, workbench, 'learning', {});
  }
}

const withScriptedModel = (baseUrl) => ({
  ...quiet,
  'hoptrail.model.provider': 'endpoint',
  'hoptrail.model.baseUrl': baseUrl,
  'hoptrail.model.name': SCRIPTED_MODEL,
});

async function learnSomething(host, workbench, baseUrl) {
  const { page } = workbench;
  host.writeSettings(withScriptedModel(baseUrl));
  await page.setViewportSize({ width: 1280, height: 900 });
  const panel = await HoptrailPanel.open(workbench);
  await panel.frame.locator('.composer', { hasText: SCRIPTED_MODEL }).waitFor({ timeout: 60_000 });
  for (const question of learntFrom) {
    await panel.ask(question);
    await panel.button('Good answer').click();
  }
  await workbench.runCommand('View: Close Primary Side Bar');
}

/** The learning page in an editor, in every theme and both widths. */
async function takeLearningPage(host, workbench, name, settings) {
  const { page } = workbench;
  await workbench.runCommand('Hoptrail: Learning');
  for (const [width, viewport] of Object.entries({
    900: { width: 956, height: 860 },
    280: { width: 336, height: 1100 },
  })) {
    await page.setViewportSize(viewport);
    for (const [theme, label] of Object.entries(themes)) {
      host.writeSettings({ ...quiet, ...settings, 'workbench.colorTheme': label });
      await page.waitForTimeout(2500);
      await workbench.webview('.learning-page');
      const area = page.locator('.editor-group-container').first();
      await save(path.join(pictures, `${name}-${theme}-${width}.png`), await area.screenshot());
    }
  }
  host.writeSettings(quiet);
  await workbench.runCommand('View: Close All Editors');
}

mkdirSync(pictures, { recursive: true });
mkdirSync(walkthrough, { recursive: true });
// A name that tells nothing of the machine, where the editor shows it.
const firnline = path.join(os.tmpdir(), 'firnline');
rmSync(firnline, { recursive: true, force: true });
const workspace = path.join(firnline, 'notes');
cpSync(path.join(repositoryRoot, 'examples', 'notes'), workspace, { recursive: true });
const needsRuns = Object.keys(panelStates(0)).some((name) => wanted(name) && !inWindows.includes(name));
const runs = needsRuns ? await realRuns() : undefined;
const states = (now) => panelStates(now, runs);
const host = await VscodeHost.open({
  linked: [repositoryRoot],
  folders: [workspace],
  settings: quiet,
  viewport: { width: 1280, height: 800 },
});
const browser = await launchBrowser();
try {
  studio = await browser.newPage();
  const workbench = await host.openWindow();
  const { page } = workbench;
  await workbench.openContainer('Hoptrail');
  await workbench.setSideBarWidth(280);
  const frame = await workbench.webview('body[data-place=view] .composer');
  await frame.locator('.suggestion').first().waitFor({ timeout: 120_000 });
  // No more news of the index from here on.
  await page.locator('.statusbar-item[aria-label*="The index is up to date"]').waitFor({ timeout: 300_000 });
  await takeAsItIs(host, workbench, 'empty', await inSideBar(workbench));
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.mouse.move(700, 500); // no hover over the activity bar
  if (wanted('use')) {
    await workbench.setSideBarWidth(360);
    await realUse(workbench);
  }
  await takeParts(host, workbench);
  await takeStates(host, workbench, states, await inSideBar(workbench));
  const editor = await inEditor(workbench);
  await takeAsItIs(host, workbench, 'empty', editor);
  await takeStates(host, workbench, states, editor);
  await workbench.runCommand('View: Close All Editors');
  await takeLearning(host, workbench);
  await host.close();
  const drafts = path.join(firnline, 'drafts');
  mkdirSync(drafts);
  await takeInWindow('empty-folder', drafts, (frame) =>
    frame.getByText('holds no text that can be read yet').waitFor(),
  );
  multiplyNotes(workspace, COPIES);
  await takeInWindow('embedding', workspace, (frame) =>
    frame.locator('.index-strip', { hasText: / % by meaning/ }).waitFor({ timeout: 120_000 }),
  );
} finally {
  await browser.close();
  await host.close();
  rmSync(firnline, { recursive: true, force: true });
}
