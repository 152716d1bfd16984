import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Answer } from '../../../../src/research/domain/answer.ts';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { FoundReference } from '../../../../src/search/domain/reference-answer.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const passage = (id: string, path: string, text: string): Passage => ({
  id,
  uri: `file:///${path}`,
  path,
  startLine: 1,
  endLine: text.split('\n').length,
  kind: 'code',
  language: 'typescript',
  title: '',
  text,
  contentHash: id,
  links: [],
});
const mime = passage('m', 'mime.ts', 'export function getMimeType() {}');
const serve = passage('s', 'serve.ts', "import { getMimeType } from './mime.ts';\nserve(getMimeType());");
const place: FoundReference = {
  relation: 'calls',
  path: 'serve.ts',
  line: 2,
  passageId: 's',
  text: 'serve(getMimeType());',
  from: 'serveStatic',
  to: 'getMimeType',
  confidence: 0.95,
};

describe('a run whose question references answer', () => {
  const retriever = new ScriptedRetriever([mime, serve], {
    references: {
      getMimeType: {
        definitions: [
          {
            name: 'getMimeType',
            kind: 'function',
            path: 'mime.ts',
            line: 1,
            endLine: 1,
            text: mime.text,
            passageId: 'm',
          },
        ],
        references: [place],
        total: 1,
        files: 1,
        possibleTotal: 2,
      },
      getMimeTipe: { near: ['getMimeType'] },
    },
  });

  async function ask(question: string): Promise<{ events: ResearchEvent[]; answer: Answer }> {
    const { events, answer } = await runResearch(question, { retriever });
    assert.ok(answer);
    return { events, answer };
  }

  it('lists every place with its line, and says what may be missing', async () => {
    const { events, answer } = await ask('Who calls getMimeType?');
    assert.match(answer.text, /^\*\*1 place in 1 file calls `getMimeType`\.\*\* \[1\]/);
    assert.match(
      answer.text,
      /`serve\.ts`\n\n- `serveStatic` calls `getMimeType` on line 2: `serve\(getMimeType\(\)\);` \[2\]/,
    );
    assert.match(answer.text, /2 further places use a name like it/);
    assert.equal(answer.short, 'serveStatic');
    assert.deepEqual(answer.lead?.citations, [1]);
    assert.deepEqual(
      answer.citations.map(({ number, passageId, startLine, quote }) => [number, passageId, startLine, quote]),
      [
        [1, 'm', 1, mime.text],
        [2, 's', 2, 'serve(getMimeType());'],
      ],
    );
    assert.deepEqual(
      answer.chain.hops.map(({ why }) => why.text),
      ['defines “getMimeType”', '“serveStatic” calls “getMimeType” on line 2'],
    );
    assert.equal(events.at(-1)?.type, 'run-end');
    assert.deepEqual(retriever.queries, []);
  });

  it('goes on as usual where nothing defines the symbol, and tells names like it', async () => {
    const { events } = await ask('Who calls getMimeTipe?');
    const notice = events.find((event) => event.type === 'notice' && event.code === 'unknown-symbol');
    assert.ok(notice?.type === 'notice' && notice.message.includes('getMimeType'));
    assert.equal(retriever.queries.length, 1);
  });
});
