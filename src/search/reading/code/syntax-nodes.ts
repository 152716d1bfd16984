import type { Node } from '@vscode/tree-sitter-wasm';
import type { TextSpan } from '../../domain/unit.ts';
import { isBlank, type SourceText } from '../text/source-text.ts';

/** What grammars call comments. */
export const COMMENTS = ['comment', 'line_comment', 'block_comment', 'multiline_comment'];

export const isComment = ({ type }: Node): boolean => COMMENTS.includes(type);

/** Whether a node stands before a declaration and belongs to it: a decorator, an attribute, an annotation. */
export const isPrefix = ({ type }: Node): boolean =>
  /^(?:decorator|annotation|marker_annotation|attribute_item|attribute_list)$/.test(type);

export const spanOf = ({ startIndex, endIndex }: Node): TextSpan => ({ start: startIndex, end: endIndex });

/** Last 0-based row that a node really touches: some end at the start of the next line. */
export function lastRowOf({ startPosition, endPosition: { row, column } }: Node): number {
  return column === 0 && row > startPosition.row ? row - 1 : row;
}

/** Whether nothing but blanks stands before a place in its line. */
export const isFirstOnLine = (source: SourceText, { row, column }: Node['startPosition']): boolean =>
  isBlank(source.line(row + 1).slice(0, column));

/**
 * Comments that begin a line at the end of an import: there a grammar may put what documents the first class below.
 */
export function commentsAtEnd(node: Node): Node[] {
  let at: Node | null = node;
  for (let depth = 0; at && depth < 3; depth++) {
    const children: Node[] = at.namedChildren.filter((child) => child !== null);
    const behind = children.findLastIndex((child) => !isComment(child)) + 1;
    const found = children.slice(behind).filter((child, i) => {
      const before: Node | undefined = children[behind + i - 1];
      return child.startPosition.row > (before ? lastRowOf(before) : node.startPosition.row);
    });
    if (found.length > 0) return found;
    at = children.at(-1) ?? null;
  }
  return [];
}
