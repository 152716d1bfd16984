import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Passage } from '../../../src/search/domain/passage.ts';
import { examplePassage } from '../../doubles/panel-runs.ts';
import { Position, Range, resetVscode, window, workspace } from '../../doubles/vscode/vscode.ts';

const { openPassage } = await import('../../../src/vscode/open-passage.ts');

interface Editor {
  selection?: Range;
  revealed?: Range;
  /** Of all editors that were shown, in their order. */
  marks: unknown[][];
}

describe('openPassage', () => {
  const passage: Passage = {
    ...examplePassage('notes/systems/mast-power.md', 1, 1, 'Mast Power'),
    uri: 'file:///data/one-line.json',
    kind: 'data',
    text: '"beta":2',
    startLine: 1,
    endLine: 1,
    startColumn: 12,
    endColumn: 20,
  };
  let editor: Editor;
  let notes: string[];

  function openAs(text: string): void {
    const lines = text.split('\n');
    const lineAt = (line: number) => ({ range: new Range(line, 0, line, lines[line]?.length ?? 0) });
    workspace.openTextDocument = async () => ({ getText: () => text, lineCount: lines.length, lineAt });
    const { marks } = editor;
    const at = marks.push([]) - 1;
    window.showTextDocument = async () => ({
      set selection(range: Range) {
        editor.selection = range;
      },
      revealRange: (range: Range) => {
        editor.revealed = range;
      },
      setDecorations: (_type: unknown, ranges: unknown[]) => void (marks[at] = ranges),
    });
  }

  beforeEach(() => {
    editor = { marks: [] };
    notes = [];
    window.setStatusBarMessage = (text) => void notes.push(String(text));
  });
  afterEach(resetVscode);

  it('shows a part of a long line where it stands now, and says nothing when it is unchanged', async () => {
    openAs('{"alpha":1,"beta":2,"gamma":3}');
    await openPassage(passage, { toSide: false });
    assert.deepEqual(editor.selection?.start, new Position(0, 11));
    assert.deepEqual([editor.revealed?.start, editor.revealed?.end], [new Position(0, 11), new Position(0, 19)]);
    openAs('\n{"alpha":1000,"beta":2,"gamma":3}');
    await openPassage(passage, { toSide: false });
    assert.deepEqual(editor.selection?.start, new Position(1, 14));
    assert.deepEqual(notes, []);
  });

  it('marks its lines, and those of the passage before no longer', async () => {
    openAs(passage.text);
    await openPassage(passage, { toSide: false });
    openAs(passage.text);
    await openPassage(passage, { toSide: true });
    assert.deepEqual(
      editor.marks.map((ranges) => ranges.length),
      [0, 1],
    );
  });

  it('says that the text is not there any more', async () => {
    openAs('{}');
    await openPassage(passage, { toSide: false });
    assert.deepEqual(editor.selection?.start, new Position(0, 2));
    assert.match(notes.join(), /changed since the answer/);
  });
});
