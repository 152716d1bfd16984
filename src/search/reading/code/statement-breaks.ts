import type { Tree } from '@vscode/tree-sitter-wasm';
import type { BreakCost } from '../chunk/split-lines.ts';
import type { SourceText } from '../text/source-text.ts';

const DEEPEST = 16;
const NO_STATEMENT = 20;
const PER_LEVEL = 3;
const AFTER_COMMENT = 15;
const WITHOUT_BLANK_LINE = 3;

/**
 * Where a long function may be cut: before a line on which a syntax node starts, the shallower the better, after a
 * blank line better still, never between a comment and what it is about. Works for every grammar, as it asks for depth
 * alone.
 */
export function statementBreaks(tree: Tree, source: SourceText): BreakCost {
  const depths = new Uint16Array(source.lineCount + 2).fill(NO_STATEMENT);
  const afterComment = new Uint8Array(source.lineCount + 3);
  const cursor = tree.walk();
  try {
    let depth = 0;
    for (;;) {
      const { row, column } = cursor.startPosition;
      const end = cursor.endPosition;
      const line = row + 1;
      if (depths[line] === NO_STATEMENT && isFirstOnLine(source, line, column))
        depths[line] = cursor.nodeIsNamed ? Math.min(depth, 15) : DEEPEST;
      if (cursor.nodeType.includes('comment')) afterComment[end.row + (end.column === 0 ? 1 : 2)] = 1;
      // What lies on one line holds no place to break.
      if (end.row > row && cursor.gotoFirstChild()) {
        depth += 1;
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return costOf;
        depth -= 1;
      }
    }
  } finally {
    cursor.delete();
  }

  function costOf(line: number): number {
    return (
      (depths[line] ?? NO_STATEMENT) * PER_LEVEL +
      (afterComment[line] ? AFTER_COMMENT : 0) +
      (source.isBlank(line - 1) ? 0 : WITHOUT_BLANK_LINE)
    );
  }
}

function isFirstOnLine(source: SourceText, line: number, column: number): boolean {
  return source.line(line).slice(0, column).trim() === '';
}
