import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

/** A stop of the tour: a file, and what to look at in it. */
interface Stop {
  number: string;
  file: string;
  name: string | undefined;
}

/** The numbered lines below the heading of the tour; a line that is indented goes on with the stop above it. */
function stops(design: string): Stop[] {
  const section = design.slice(design.indexOf('## A tour in ten minutes'));
  const tour = section.slice(0, section.indexOf('\n## '));
  return tour
    .split(/\n(?=\d+\. )/)
    .slice(1)
    .flatMap((stop) => {
      const number = stop.slice(0, stop.indexOf('.'));
      const named = [...stop.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      return named.flatMap((file, i): Stop[] => {
        if (!/^(?:src|webview)\/\S+\.ts$/.test(file)) return [];
        const next = named[i + 1];
        return [{ number, file, name: next?.includes('/') || next?.includes('.') ? undefined : next }];
      });
    });
}

describe('the tour in DESIGN.md', () => {
  const all = stops(readFileSync('DESIGN.md', 'utf8'));

  it('has ten stops', () => {
    assert.deepEqual(
      [...new Set(all.map(({ number }) => number))],
      Array.from({ length: 10 }, (_, i) => String(i + 1)),
    );
  });

  for (const { number, file, name } of all)
    it(`${number}. ${file}${name === undefined ? '' : `: ${name}`}`, () => {
      const source = readFileSync(file, 'utf8');
      if (name !== undefined)
        assert.match(source, new RegExp(`\\b${name}\\b(?:\\(|\\s*[:=]|[?])`), `no ${name} is made there`);
    });
});
