import assert from 'node:assert/strict';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { cutPassages } from '../../../../src/search/reading/chunk/cut-passages.ts';
import { CodeParser } from '../../../../src/search/reading/code/code-parser.ts';
import { fileKindOf } from '../../../../src/search/reading/formats/file-formats.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { counter, repositoryRoot } from './reading-harness.ts';

const code = new CodeParser(repositoryRoot, (message) => assert.fail(message));

export async function passagesOf(path: string, text: string): Promise<Passage[]> {
  const source = new SourceText(text);
  const { language, format } = fileKindOf(path, source.text);
  assert.ok('read' in format);
  const parsed = await format.read(source, path, { language, code });
  const file = { uri: `file:///w/${path}`, path };
  return cutPassages(source, parsed, { file, language, countTokens: (each) => counter.count(each) });
}

/** `kind {context} text` of every unit; a context that stands outside of the passage is marked. */
export async function unitsOf(path: string, text: string): Promise<string[]> {
  return (await passagesOf(path, text)).flatMap(({ text: own, units = [] }) =>
    units.map(({ start, end, kind, context }) => {
      const place = context?.start === undefined ? ' elsewhere' : '';
      return `${kind}${context ? ` {${context.text}${place}}` : ''} ${own.slice(start, end)}`;
    }),
  );
}
