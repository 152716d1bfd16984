import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_QUESTION_LENGTH, type ResearchEvent } from '../../../src/vscode/protocol.ts';
import {
  openWorkspace,
  panelForSuite,
  type PanelPage,
  readyIndex,
  threadMessages,
  turnOf,
} from '../../doubles/panel-page.ts';
import {
  abstainedRun,
  answeredRun,
  extractiveRun,
  stamp,
  supplierChain,
  understoodRun,
} from '../../doubles/panel-runs.ts';
import { panelStates, rareStates } from '../../doubles/panel-states.ts';

const first = supplierChain.hops[0]?.passage;
const folder = { kind: 'folder' as const, path: 'systems' };

describe('a question in the panel', function () {
  this.timeout(60_000);
  let panel: PanelPage;
  const { posted, reload } = panelForSuite((opened) => {
    panel = opened;
  });
  const button = (name: string) => panel.page.getByRole('button', { name, exact: true });

  it('is edited in its place and sent again to where it was asked', async () => {
    await panel.send(...threadMessages([turnOf(answeredRun, { scope: folder })]));
    await panel.hover(panel.page.locator('.turn'));
    await button('Edit Question').click();
    assert.equal(await panel.focused(), 'Question');
    await panel.page.locator('.question-editor textarea').fill('Who repairs them?');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await posted('ask'), [
      { type: 'ask', question: 'Who repairs them?', scope: folder, before: 'answered' },
    ]);
    await panel.page.locator('.question-editor').waitFor({ state: 'detached' });
  });

  it('says why it cannot be sent as it was edited, until it is changed', async () => {
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.hover(panel.page.locator('.turn'));
    await button('Edit Question').click();
    const input = panel.page.locator('.question-editor textarea');
    const problem = () => input.evaluate((element) => (element as HTMLTextAreaElement).validationMessage);
    await input.fill('x'.repeat(MAX_QUESTION_LENGTH + 1));
    await input.press('Enter');
    assert.match(await problem(), /^The question is longer than 20,000 characters\./);
    assert.deepEqual(await posted('ask'), []);
    await input.fill('Who repairs them?');
    assert.equal(await problem(), '');
    await panel.page.locator('.question-editor').getByRole('button', { name: 'Ask' }).click();
    assert.equal((await posted('ask')).length, 1);
  });

  it('gives the keyboard back where editing began', async () => {
    await panel.send(...threadMessages([turnOf(answeredRun)]));
    await panel.hover(panel.page.locator('.turn'));
    await button('Edit Question').click();
    await panel.page.keyboard.press('Escape');
    assert.equal(await panel.focused(), 'Edit Question');
    assert.deepEqual(await posted('ask'), []);
  });

  it('is repeated, and asked as it was written where it was understood otherwise', async () => {
    await panel.send(...threadMessages([turnOf(understoodRun)]));
    await panel.hover(panel.page.locator('.turn'));
    await button('Repeat Question').click();
    assert.deepEqual(await posted('ask-again'), [{ type: 'ask-again', runId: 'answered' }]);
    await button('Ask as written').click();
    assert.deepEqual(await posted('ask'), [
      {
        type: 'ask',
        question: 'And who rings them?',
        scope: { kind: 'workspace' },
        before: 'answered',
        asWritten: true,
      },
    ]);
    await button('Edit').click();
    assert.match(await panel.page.locator('.question-editor textarea').inputValue(), /batteries/);
  });

  it('is asked again without a passage or a file that does not belong', async () => {
    const rejectedPassageIds = [first?.id ?? ''];
    await panel.send(...threadMessages([turnOf(answeredRun, { feedback: { rejectedPassageIds } })]));
    await button('Ask again without it').click();
    await button(`Ask again without ${first?.path.split('/').at(-1)}`).click();
    assert.deepEqual(
      (await posted('ask-again')).map(({ without }) => without),
      [
        { passageIds: [first?.id], paths: [] },
        { passageIds: [], paths: [first?.path] },
      ],
    );
  });

  it('is asked again without what a bad answer cites', async () => {
    await panel.send(
      ...threadMessages([turnOf(answeredRun, { feedback: { rating: 'down', rejectedPassageIds: [] } })]),
    );
    await panel.page.getByRole('button', { name: /^Ask again without these \d+ passages$/ }).click();
    const [again] = await posted('ask-again');
    assert.ok((again?.without?.passageIds.length ?? 0) > 1);
  });

  it('is not said to be answered without fault where it is refused', async () => {
    const critique = stamp('abstained', [
      {
        type: 'critique-ready',
        stepId: 's1',
        of: 'answer',
        verdict: {
          verdict: 'unsupported',
          reason: 'No statement of it holds up against its passages.',
          by: 'evidence',
        },
      },
    ]);
    await panel.send(
      ...threadMessages([turnOf([...abstainedRun.slice(0, -1), ...critique, ...abstainedRun.slice(-1)])]),
    );
    const text = await panel.page.locator('.turn').textContent();
    assert.match(text ?? '', /I couldn’t find an answer\./);
    assert.doesNotMatch(text ?? '', /Supported by its sources|holds up/);
  });

  it('is told in plain words to be answered by quotes', async () => {
    await panel.send(...threadMessages([turnOf(extractiveRun)], null));
    assert.match(await panel.page.locator('.after .hint').innerText(), /^Answers are quotes from your files\./);
    assert.match(await panel.page.locator('.how > summary').innerText(), /^How this was answered\s+[\d.]+ s$/);
  });

  it('has the selection as a chip, and says what is asked where nothing is typed', async () => {
    const selection = { path: 'systems/mast-power.md', startLine: 10, endLine: 12, text: 'Heater: 40 W' };
    await panel.send(...threadMessages([]), { type: 'fill-input', submit: false, selection });
    assert.match(await panel.page.locator('.chips').innerText(), /mast-power\.md:10–12/);
    assert.equal(await panel.page.locator('.composer textarea').inputValue(), '');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await posted('ask'), [
      {
        type: 'ask',
        question: 'What does this mean, and what is it connected to?',
        scope: { kind: 'workspace' },
        selection,
      },
    ]);
    // It belongs to one question.
    await panel.page.locator('.chips', { hasText: 'mast-power' }).waitFor({ state: 'detached' });
  });

  it('keeps its selection over a hidden view, and not for another thread', async () => {
    const selection = { path: 'systems/mast-power.md', startLine: 10, endLine: 12, text: 'Heater: 40 W' };
    const chips = () => panel.page.locator('.chips').innerText();
    await panel.send(...threadMessages([]), { type: 'fill-input', submit: false, selection });
    await reload();
    await panel.send(...threadMessages([]));
    assert.match(await chips(), /mast-power\.md:10–12/);
    await panel.send({ type: 'thread', thread: { id: 'another', title: '', updated: 0, turns: [] } });
    assert.doesNotMatch(await chips(), /mast-power/);
  });

  it('moves nothing below it when the pointer comes', async () => {
    await panel.page.setViewportSize({ width: 280, height: 900 });
    await panel.send(
      ...threadMessages([turnOf(answeredRun, { question: 'Who do we ring about the batteries that froze?' })]),
    );
    const top = async () => (await panel.page.locator('.answer').boundingBox())?.y;
    await panel.page.mouse.move(140, 890);
    const before = await top();
    await panel.page.mouse.move(140, 300);
    assert.equal(await top(), before);
    assert.ok(await button('Edit Question').isVisible());
  });

  it('stays within the panel with whatever name its folder, its notices and its sources have', async () => {
    const long = `${'a_folder_of_a_long_name/'.repeat(4)}file.md`;
    await panel.page.setViewportSize({ width: 280, height: 900 });
    const run = answeredRun.flatMap((event): ResearchEvent[] => {
      if (event.type === 'run-start')
        return [event, { ...event, type: 'notice', code: 'x', message: `Not read: ${long}` }];
      if (event.type !== 'answer-end') return [event];
      const hops = event.answer.chain.hops.slice(0, 1);
      const conflict = {
        statement: 'It is so.',
        hops: hops.map((hop) => ({ ...hop, passage: { ...hop.passage, path: long } })),
      };
      return [{ ...event, answer: { ...event.answer, conflicts: [conflict] } }];
    });
    await panel.send(...threadMessages([turnOf(run, { scope: { kind: 'folder', path: long } })]));
    for (const part of ['.quiet-line bdi', '.notice span', '.conflicts bdi']) {
      const rights = await panel.page
        .locator(part)
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      assert.ok(rights.length > 0 && Math.max(...rights) <= 280, `${part}: ${rights.join(', ')}`);
    }
  });

  it('has no box for a notice that only a later version can word', async () => {
    const unknown = { type: 'notice', code: 'of-a-later-version', details: {} } as unknown as ResearchEvent;
    const run = answeredRun.flatMap((event): ResearchEvent[] =>
      event.type === 'run-start' ? [event, { ...unknown, runId: event.runId, time: event.time }] : [event],
    );
    await panel.send(...threadMessages([turnOf(run)]));
    await panel.page.locator('.answer').first().waitFor();
    assert.equal(await panel.page.locator('.notice').count(), 0);
  });

  it('is not asked for before it is known which thread is shown', async () => {
    await panel.send(openWorkspace, { type: 'index-state', state: readyIndex });
    assert.equal(await panel.page.locator('#scroll').innerText(), '');
    await panel.send(...threadMessages([]));
    assert.match(await panel.page.locator('#scroll').innerText(), /^Ask anything about “notes”/);
  });

  it('keeps its scope for other threads only where that is pinned, over a reload too', async () => {
    const another = { type: 'thread' as const, thread: { id: 'another', title: '', updated: 0, turns: [] } };
    const chips = () => panel.page.locator('.chips').innerText();
    await panel.send(...threadMessages([]), { type: 'scope', scope: folder });
    await reload();
    await panel.send(...threadMessages([]));
    assert.match(await chips(), /systems/, 'the same thread');
    await panel.send(another);
    assert.doesNotMatch(await chips(), /systems/);
    await panel.send({ type: 'scope', scope: folder });
    await button('Keep for other threads').click();
    await panel.send(...threadMessages([]));
    assert.match(await chips(), /systems/);
  });

  it('can be asked while the index grows, which says how much there is and how long it takes', async () => {
    await panel.send(...(panelStates(0)['embedding'] ?? []));
    const strip = await panel.page.locator('.index-strip').innerText();
    assert.match(strip, /Getting ready to search by meaning: 42 % · 50 s left/);
    assert.match(strip, /63 files · 412 passages\s+You can ask now\./);
    const bar = panel.page.locator('.index-strip vscode-progress-bar');
    assert.equal(await bar.evaluate((element) => (element as HTMLElement & { value: number }).value), 43);
    await panel.send(...(panelStates(0)['reading'] ?? []));
    assert.match(await panel.page.locator('.index-strip').innerText(), /You can already ask about what is read\./);
  });

  it('waits for files that are read, and is told how long it takes', async () => {
    const [workspace, reading] = panelStates(0)['reading'] ?? [];
    assert.ok(workspace && reading?.type === 'index-state');
    const read = (filesDone: number) =>
      panel.send({ ...reading, state: { ...reading.state, filesDone, filesTotal: 6000 } });
    await panel.send(workspace);
    await read(0);
    const strip = panel.page.locator('.index-strip');
    assert.doesNotMatch(await strip.innerText(), / left/);
    await panel.page.waitForTimeout(1100);
    await read(60);
    assert.match(await strip.innerText(), /Reading 60 of 6,000 files · \d+ min left/);
  });

  it('counts one line that a hover has no room for as one', async () => {
    const lines = Array.from({ length: 25 }, (_, index) => `Line ${index}.`).join('\n');
    const run = answeredRun.map((event) => {
      if (event.type !== 'answer-end') return event;
      const hops = event.answer.chain.hops.map((hop) => ({
        ...hop,
        why: { ...hop.why, toSpan: undefined, fromSpan: undefined },
        passage: { ...hop.passage, text: lines },
      }));
      return { ...event, answer: { ...event.answer, chain: { ...event.answer.chain, hops } } };
    });
    await panel.send(...threadMessages([turnOf(run)]));
    await panel.hover(panel.page.locator('.excerpt').first());
    await panel.page.locator('.hover:not([hidden])').waitFor();
    assert.match(await panel.page.locator('.hover').innerText(), /\n1 more line$/);
  });

  it('counts one file as one, and one passage', async () => {
    const coverage = { ...readyIndex.coverage, files: 1, passages: 1, embedded: 1 };
    await panel.send(...threadMessages([]), { type: 'index-state', state: { ...readyIndex, coverage } });
    assert.match(await panel.page.locator('.empty').innerText(), /^1 file · 1 passage$/m);
  });

  it('waits for a folder, with one sentence and one button', async () => {
    for (const [state, sentence] of [
      [panelStates(0)['no-folder'], 'Open a folder of code or notes to ask about it.'],
      [rareStates['empty-folder'], '“notes” holds no text that can be read yet.'],
    ] as const) {
      await panel.send(...(state ?? []));
      const lines = (await panel.page.locator('#scroll').innerText()).split('\n').filter((line) => line.trim() !== '');
      assert.deepEqual(lines, [sentence, 'Open Folder']);
    }
  });
});
