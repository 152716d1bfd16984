import '../../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/search/domain/question.ts';
import type { PanelHub } from '../../../../src/vscode/panel/panel-hub.ts';
import type { SessionHolder } from '../../../../src/vscode/session-holder.ts';
import { answeredRun } from '../../../doubles/panel-runs.ts';
import { FakeQuickPick } from '../../../doubles/vscode/fake-quick-pick.ts';
import { settled } from '../../../doubles/vscode/fake-sessions.ts';
import { resetVscode, window } from '../../../doubles/vscode/vscode.ts';

const { quickAnswer } = await import('../../../../src/vscode/quick-answer/quick-answer.ts');

describe('quickAnswer', () => {
  let pick: FakeQuickPick;
  let asked: string[];

  beforeEach(async () => {
    pick = new FakeQuickPick();
    asked = [];
    window.createQuickPick = () => pick;
    const session = {
      researchOptions: () => ({}),
      engine: {
        research: async function* ({ text }: Question) {
          asked.push(text);
          yield* answeredRun;
        },
      },
    };
    await quickAnswer(
      { sessions: { get: async () => session } as unknown as SessionHolder, panels: {} as PanelHub },
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
