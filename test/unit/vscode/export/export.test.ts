import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { inEnglish } from '../../../../src/search/domain/notices.ts';
import {
  answerAsMarkdown,
  linksByPath,
  linksFrom,
  threadAsMarkdown,
  fileNameFrom,
  trailAsTour,
} from '../../../../src/vscode/commands/trail-formats.ts';
import { answerIn } from '../../../../src/vscode/threads/turn-passages.ts';
import { turnOf } from '../../../doubles/panel-page.ts';
import { abstainedRun, answeredRun, runningRun, supplierQuestion } from '../../../doubles/panel-runs.ts';

const answer = answerIn(answeredRun);
assert.ok(answer);

describe('an answer as Markdown', () => {
  const text = answerAsMarkdown(supplierQuestion, answer, linksByPath, inEnglish);

  it('has its marks as links to file and line', () => {
    assert.ok(text.includes('cabinet [\\[1\\]](incidents/2024-02-17-silent-weekend.md#L25)'));
    assert.ok(!/(?<!\\)\[\d\](?!\()/.test(text), 'no mark is left without a link');
  });

  it('leaves code as it is', () => {
    const code = 'It reads `argv[1]`.\n\n```ts\nconst cell = cells[2];\n```\n\nSee ';
    assert.ok(
      answerAsMarkdown('Q', { ...answer, text: `${code}[2].` }, linksByPath, inEnglish).includes(
        `${code}[\\[2\\]](systems/mast-power.md#L10).`,
      ),
    );
  });

  it('tells the trail with its reasons', () => {
    assert.match(
      text,
      /^2\. \[systems\/mast-power\.md:10\]\(systems\/mast-power\.md#L10\) Mast Power \(“The silent weekend” links to/m,
    );
  });

  it('tells it in the language of the editor', () => {
    const loud = (message: string, ...values: (string | number)[]): string =>
      message.toUpperCase().replace(/\{(\d)\}/g, (_whole, index: string) => String(values[Number(index)]));
    assert.match(
      answerAsMarkdown('Q', answer, linksByPath, loud),
      /SOURCES:[^]*“The silent weekend” LINKS TO “systems/,
    );
    const tour = trailAsTour('Q', answer, (hop) => hop.passage.path, loud);
    assert.match(tour.steps[1]?.description ?? '', /^“The silent weekend” LINKS TO/);
  });

  it('names of a hop that nothing cites the line with the words that lead to it', () => {
    const [, hop] = answer.chain.hops;
    assert.ok(hop?.why.toSpan);
    const text = ['', '', hop.passage.text].join('\n');
    const toSpan = { start: hop.why.toSpan.start + 2, end: hop.why.toSpan.end + 2 };
    const moved = { ...hop, passage: { ...hop.passage, text }, why: { ...hop.why, toSpan } };
    const before = text.slice(0, toSpan.start).split('\n').length - 1;
    const uncited = { ...answer, citations: [], chain: { ...answer.chain, hops: [moved] } };
    assert.ok(
      answerAsMarkdown('Q', uncited, linksByPath, inEnglish).includes(
        `mast-power.md#L${hop.passage.startLine + before})`,
      ),
    );
  });

  it('links relative to the folder that it is written into', () => {
    const folder = path.dirname(path.dirname(fileURLToPath(answer.passages[0]?.uri ?? '')));
    assert.ok(
      answerAsMarkdown('Q', answer, linksFrom(path.join(folder, 'people')), inEnglish).includes(
        '(../systems/mast-power.md#L10)',
      ),
    );
  });

  it('escapes what Markdown or a link would take for its own', () => {
    const odd = {
      ...answer,
      passages: [],
      citations: [],
      chain: {
        ...answer.chain,
        hops: answer.chain.hops
          .slice(0, 1)
          .map((hop) => ({ ...hop, passage: { ...hop.passage, path: 'a (1)/#b? [x].md', title: '<b>*t*' } })),
      },
    };
    const markdown = answerAsMarkdown('*Who*?', odd, linksByPath, inEnglish);
    assert.ok(markdown.includes('(a%20%281%29/%23b%3F%20%5Bx%5D.md#L25)'), markdown);
    assert.ok(markdown.includes('\\<b\\>\\*t\\*') && markdown.startsWith('**\\*Who\\*?**'));
  });
});

describe('a thread as Markdown', () => {
  it('holds every turn, also those without an end', () => {
    const text = threadAsMarkdown(
      {
        id: 't',
        title: 'Batteries',
        updated: 0,
        turns: [turnOf(answeredRun), turnOf(abstainedRun), turnOf(runningRun)],
      },
      linksByPath,
      inEnglish,
    );
    assert.ok(text.startsWith('<!-- hoptrail:thread -->\n# Batteries\n'), 'the index leaves it out');
    assert.match(text, /I couldn’t find an answer\./);
    assert.match(text, /This run did not end/);
  });
});

describe('a trail as a tour', () => {
  it('has one step per hop, on its line, told with its reason', () => {
    const tour = trailAsTour(supplierQuestion, answer, (hop) => hop.passage.path, inEnglish);
    assert.equal(tour.steps.length, 4);
    assert.deepEqual(tour.steps[1], {
      file: 'systems/mast-power.md',
      line: 10,
      title: 'Mast Power',
      description: '“The silent weekend” links to “systems/mast-power” on line 26',
    });
    assert.match(tour.steps[3]?.description ?? '', /Hamish Adeyemi$/);
    assert.ok(tour.$schema.includes('codetour'));
  });

  it('gets a file name from its question', () => {
    assert.equal(fileNameFrom('Who rings? Zürich / Ä!'), 'who-rings-zu-rich-a');
    assert.equal(fileNameFrom('???'), 'trail');
    for (const before of ['', 'a']) assert.doesNotMatch(fileNameFrom(before + '𠮷'.repeat(50)), /\p{Cs}/u);
  });
});
