import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import type { Answer } from '../../../../src/research/domain/answer.ts';
import type { ResearchEvent } from '../../../../src/research/domain/research-event.ts';
import type { FoundDefinition, FoundReference } from '../../../../src/search/domain/reference-answer.ts';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { reasonInWords } from '../../../../src/search/domain/reason-words.ts';
import { runResearch } from '../../../doubles/run-research.ts';
import { ScriptedLanguageModel } from '../../../doubles/scripted-language-model.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const passage = (id: string, path: string, text: string): Passage =>
  notePassage(id, '', text, { path, kind: 'code', language: 'typescript' });
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

/** Line and words of both ends of each hop's reason. */
const spansOf = ({ chain: { hops } }: Answer): (string | undefined)[][] =>
  hops.map(({ passage: here, why }) => {
    const shown = (one: Passage | undefined, span: { start: number; end: number } | undefined): string | undefined =>
      one && span && `${one.text.slice(0, span.start).split('\n').length} ${one.text.slice(span.start, span.end)}`;
    return [shown(hops[why.from ?? -1]?.passage, why.fromSpan), shown(here, why.toSpan)];
  });

const definition = (name: string, id: 'm' | 's', line: number, endLine: number): FoundDefinition => {
  const { path, text } = id === 'm' ? mime : serve;
  return { name, kind: 'function', path, line, endLine, text: text.split('\n')[line - 1] ?? '', passageId: id };
};

describe('a run whose question references answer', () => {
  const retriever = new ScriptedRetriever([mime, serve], {
    references: {
      getMimeType: {
        definitions: [definition('getMimeType', 'm', 1, 1)],
        references: [place],
        total: 1,
        files: 1,
        possibleTotal: 2,
        named: 1,
      },
      getMimeTipe: { near: ['getMimeType'] },
      serveStatic: {
        definitions: [definition('serveStatic', 's', 2, 2), definition('getMimeType', 'm', 1, 1)],
        references: [place],
        route: { found: 'forwards', reached: 2, ambiguous: [definition('getMimeType', 'm', 7, 9)] },
        total: 1,
        files: 1,
      },
      getMimeType2: {
        definitions: [definition('getMimeType2', 'm', 1, 1), definition('serveStatic', 's', 2, 2)],
        route: { found: 'none', reached: 9, ambiguous: [] },
      },
      getMimeType3: {
        definitions: [definition('main', 's', 1, 2), definition('getMimeType', 'm', 1, 1)],
        references: [place],
        route: { found: 'meeting', reached: 9, ambiguous: [] },
      },
      'Store.get': { definitions: [definition('get', 'm', 1, 1)], isCommon: true },
      redaction: { definitions: [definition('redaction', 'm', 1, 1)], possibleTotal: 1 },
      light: { near: ['lights'] },
      PORT: {
        references: [{ ...place, relation: 'keys', from: '', to: 'PORT', text: 'serve(process.env.PORT);' }],
        total: 1,
        files: 1,
      },
      clamp: {
        definitions: [definition('clamp', 'm', 1, 1)],
        references: [place, { ...place, line: 1 }, { ...place, from: 'other', line: 1 }],
        total: 3,
        files: 1,
      },
      many: { definitions: [definition('many', 'm', 1, 1)], references: [place], total: 2000, files: 40 },
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
    assert.match(answer.text, /1 further place names it without calling it: “Who uses getMimeType\?” lists it\./);
    assert.equal(answer.short, 'serveStatic');
    assert.equal(answer.list?.definitions, 1);
    assert.match(answer.list.gaps.join(), /2 further places use a name like it/);
    assert.deepEqual(answer.lead?.citations, [1]);
    assert.deepEqual(
      answer.citations.map(({ number, passageId, startLine, quote }) => [number, passageId, startLine, quote]),
      [
        [1, 'm', 1, mime.text],
        [2, 's', 2, 'serve(getMimeType());'],
      ],
    );
    assert.deepEqual(
      answer.chain.hops.map(({ why }) => reasonInWords(why).text),
      ['defines “getMimeType”', '“serveStatic” calls “getMimeType” on line 2'],
    );
    assert.deepEqual(spansOf(answer), [
      [undefined, undefined],
      ['1 getMimeType', '2 getMimeType'],
    ]);
    assert.equal(events.at(-1)?.type, 'run-end');
    assert.deepEqual(retriever.queries, []);
  });

  it('tells its plan before its first step, and asks no language model', async () => {
    const model = new ScriptedLanguageModel([]);
    for (const [question, reason] of [
      ['Who calls getMimeType?', 'It asks where programs define or use a name.'],
      ['How does serveStatic reach getMimeType?', 'It asks how one name leads to another.'],
    ] as const) {
      const { events } = await runResearch(question, { retriever, model });
      const types = events.map(({ type }) => type);
      assert.ok(types.includes('step-start') && types.indexOf('plan-proposed') < types.indexOf('step-start'));
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'plan-proposed' ? [event.plan] : [])),
        [
          {
            steps: [{ operator: 'extractive', purpose: 'List what the index holds.' }],
            origin: 'index',
            reason,
            cost: { calls: { least: 0, most: 0 }, tokens: 0 },
          },
        ],
      );
      assert.equal(events.at(-1)?.type, 'run-end');
    }
    assert.equal(model.calls.length, 0);
  });

  it('lists where a string is looked up that nothing defines', async () => {
    const { answer } = await ask('Where is the environment variable PORT read?');
    assert.match(
      answer.text,
      /^\*\*1 place in 1 file names `PORT`\.\*\* \[1\]\n\n`serve\.ts`\n\n- names `PORT` on line 2/,
    );
  });

  it('gives the number that is asked for, with the list', async () => {
    const places = (await ask('How many places call clamp?')).answer;
    assert.equal(places.short, '3');
    assert.match(places.text, /^\*\*3 places in 1 file call `clamp`\.\*\* \[1\]/);
    assert.equal(places.citations.length, 4);
    const users = (await ask('How many functions call clamp?')).answer;
    assert.equal(users.short, '2');
    assert.match(users.text, /^\*\*3 places in 1 file call `clamp`\. They stand in 2 functions or classes\.\*\*/);
    assert.equal((await ask('How many files call many?')).answer.short, '40');
    assert.equal((await ask('How many functions call many?')).answer.short, 'serveStatic', 'not all are known');
  });

  it('says whether something is tested', async () => {
    const { answer } = await ask('Is clamp tested?');
    assert.match(answer.text, /^\*\*3 places in 1 test file use `clamp`\.\*\*/);
  });

  it('tells a way step by step, with both places of each', async () => {
    const { answer } = await ask('How does serveStatic reach getMimeType?');
    assert.match(
      answer.text,
      /^\*\*`serveStatic` reaches `getMimeType` in 1 step: `serveStatic` → `getMimeType`\.\*\* \[1\]\n\n1\. `serveStatic` calls `getMimeType` on line 2 of `serve\.ts`: `serve\(getMimeType\(\)\);` \[3\], defined in `mime\.ts` on line 1 \[2\]/,
    );
    assert.match(answer.text, /Not on this way, and called alike: `getMimeType` in `mime\.ts` on line 7\./);
    assert.equal(answer.short, 'serveStatic → getMimeType');
    assert.equal(answer.list, undefined, 'a way has an order of its own');
    assert.deepEqual(
      answer.chain.hops.map(({ passage: { id }, why }) => [id, why.kind, reasonInWords(why).text]),
      [
        ['s', 'question', 'defines “serveStatic”'],
        ['m', 'link', '“serveStatic” calls “getMimeType” on line 2'],
      ],
    );
    assert.deepEqual(spansOf(answer), [
      [undefined, undefined],
      ['2 getMimeType', '1 getMimeType'],
    ]);
  });

  it('says that there is no way, and how far was looked', async () => {
    const { answer } = await ask('How does `getMimeType2` reach serveStatic?');
    assert.match(
      answer.text,
      /^\*\*No way from `getMimeType2` to `serveStatic` was found, nor back, over 9 definitions within 6 steps of the two\.\*\*/,
    );
    assert.match(answer.text, /Calls of which nothing tells what is meant are not followed\./);
    const meeting = await ask('How is `getMimeType3` connected to serveStatic?');
    assert.match(
      meeting.answer.text,
      /^\*\*No way from `getMimeType3` to `serveStatic` was found, nor back; `main` leads to both\.\*\* \[1\]\n\n1\. /,
    );
    assert.equal(meeting.answer.short, 'none');
    assert.equal(answer.abstained, false);
  });

  it('goes on as usual where nothing defines the symbol, and tells names like it', async () => {
    const { events } = await ask('Who calls getMimeTipe?');
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'plan-proposed' ? [event.plan.origin] : [])),
      ['no-model'],
      'the index lists nothing of it',
    );
    const notice = events.find((event) => event.type === 'notice' && event.code === 'unknown-symbol');
    assert.ok(notice?.type === 'notice' && runNoticeInWords(notice).includes('getMimeType'));
    assert.equal(retriever.queries.length, 1);
  });

  it('takes plain words for names only where something that runs is called so', async () => {
    for (const question of ['How does light reach earth?', 'Where is the light job configured?']) {
      const { events } = await ask(question);
      assert.equal(events.filter(({ type }) => type === 'notice').length, 0);
    }
    assert.ok(retriever.queries.includes('How does light reach earth?'));
  });

  it('says so where a name is too common for all places to be counted', async () => {
    const { answer } = await ask('Who calls `Store.get`?');
    assert.match(answer.text, /So many things are called Store\.get that places/);
  });

  it('says that nothing uses a symbol, and looks for a word that no test names', async () => {
    const { answer } = await ask('Which tests cover `redaction`?');
    assert.match(answer.text, /^\*\*No place in a test was found that uses `redaction`\.\*\*/);
    const before = retriever.queries.length;
    await ask('Which tests cover redaction?');
    assert.equal(retriever.queries.length, before + 1);
  });
});
