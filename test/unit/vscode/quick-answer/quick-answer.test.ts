import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/search/domain/question.ts';
import type { PanelHub } from '../../../../src/vscode/panel/panel-hub.ts';
import type { FinishedRun } from '../../../../src/vscode/threads/conversations.ts';
import type { SessionHolder } from '../../../../src/vscode/session-holder.ts';
import { answeredRun, firstHitsRun, supplierHits } from '../../../doubles/panel-runs.ts';
import { FakeQuickPick } from '../../../doubles/vscode/fake-quick-pick.ts';
import { resetVscode, window } from '../../../doubles/vscode/vscode.ts';
import { settled } from '../../../doubles/waiting.ts';

const { quickAnswer } = await import('../../../../src/vscode/quick-answer/quick-answer.ts');

describe('quickAnswer', () => {
  let pick: FakeQuickPick;
  let asked: string[];
  let kept: FinishedRun[];
  let shown: unknown[];
  let rowsWhileRunning: string[][];

  beforeEach(async () => {
    pick = new FakeQuickPick();
    asked = [];
    kept = [];
    shown = [];
    rowsWhileRunning = [];
    window.createQuickPick = () => pick;
    const session = {
      researchOptions: () => ({}),
      engine: {
        research: async function* ({ text, runId = '' }: Question) {
          asked.push(text);
          for (const event of firstHitsRun()) {
            yield { ...event, runId };
            rowsWhileRunning.push(pick.items.map(({ label }) => label));
          }
          yield* answeredRun.map((event) => ({ ...event, runId }));
        },
      },
    };
    await quickAnswer(
      {
        sessions: { get: async () => session } as unknown as SessionHolder,
        panels: {
          showThread: async (threadId: string) => void shown.push(threadId),
          reveal: async (message: unknown) => void shown.push(message),
        } as unknown as PanelHub,
        conversations: {
          keep: async (run) => {
            kept.push(run);
            return { id: 'kept', title: run.question, updated: 0, turns: [] };
          },
        },
      },
      undefined,
    );
  });
  afterEach(() => {
    pick.hide();
    resetVscode();
  });

  it('answers what is typed, before anything was found for it', async () => {
    pick.type('Who rings?');
    pick.accept();
    await settled();
    assert.deepEqual(asked, ['Who rings?']);
    assert.match(pick.items[0]?.label ?? '', /Hamish Adeyemi/);
  });

  it('shows the first passages while the answer is looked for', async () => {
    pick.type('Who rings?');
    pick.accept();
    await settled();
    const rows = rowsWhileRunning.at(-1) ?? [];
    assert.match(rows[0] ?? '', /Looking for an answer/);
    assert.equal(rows.length, 1 + supplierHits.length);
    assert.match(rows[1] ?? '', /silent-weekend\.md:\d+/);
  });

  it('shows its run in the panel instead of asking again', async () => {
    pick.type('Who rings?');
    pick.accept();
    await settled();
    pick.items = pick.items.slice(-1);
    assert.match(pick.items[0]?.label ?? '', /Open in Panel/);
    pick.accept();
    await settled();
    assert.deepEqual(asked, ['Who rings?']);
    assert.deepEqual(shown, ['kept']);
    assert.equal(kept[0]?.question, 'Who rings?');
    assert.deepEqual(
      kept[0]?.events.map((event) => event.runId === kept[0]?.runId),
      [...firstHitsRun(), ...answeredRun].map(() => true),
    );
  });

  it('answers what is typed, not what the rows were found for', async () => {
    pick.items = [{ label: '$(arrow-right) Who', action: 'answer', query: 'Who' } as { label: string }];
    pick.type('Who rings?');
    pick.accept();
    await settled();
    assert.deepEqual(asked, ['Who rings?']);
  });

  it('asks nothing where nothing is typed', async () => {
    pick.type('  ');
    pick.accept();
    await settled();
    assert.deepEqual(asked, []);
  });
});
