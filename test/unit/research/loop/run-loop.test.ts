import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ContextTooLongError } from '../../../../src/research/language-model/errors.ts';
import { BORN, relayRetriever } from '../../../doubles/relay-corpus.ts';
import { type RunSettings, runResearch } from '../../../doubles/run-research.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';
import {
  type RecordedCall,
  ScriptedLanguageModel,
  type ScriptedOptions,
  type ScriptedReply,
} from '../../../doubles/scripted-language-model.ts';

const question = 'How many beds does Kestrel Hut have?';
const REFERENCE = { line: 1, text: 'beds', relation: 'reads' as const, from: '', to: 'beds', confidence: 1 };
const answer = 'Kestrel Hut has 12 beds [1:1].\nShort: 12';

type Script = readonly ScriptedReply[] | ((call: RecordedCall, index: number) => ScriptedReply | undefined);

async function ask(script: Script, settings: Partial<RunSettings> & { asked?: string; of?: ScriptedOptions } = {}) {
  const { asked = question, of, ...rest } = settings;
  const model = new ScriptedLanguageModel(script, { contextTokens: 131_072, ...of });
  const run = await runResearch(asked, {
    retriever: relayRetriever(),
    model,
    ...rest,
    options: { operator: 'adaptive-step', ...rest.options },
  });
  return { ...run, model, calls: model.calls };
}

const toolResults = (call: RecordedCall | undefined): string[] =>
  (call?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content);

describe('the tool loop', () => {
  it('answers a lookup in one call: its evidence stands in the first message', async () => {
    const { calls, answer: given } = await ask([answer]);
    assert.equal(calls.length, 1);
    assert.match(
      calls[0]?.messages[1]?.content ?? '',
      /^<evidence>\n\[1\] notes\/kestrel\.md:1 {2}Huts > Kestrel Hut\n1\| The keeper/,
    );
    assert.equal(given?.short, '12');
    assert.equal(given?.text, 'Kestrel Hut has 12 beds [1].');
  });

  it('lets the model look, side by side, and only appends to the conversation', async () => {
    const { calls, events } = await ask([
      {
        look: [
          { tool: 'search', arguments: { query: 'rope Tallinn' } },
          { tool: 'read', arguments: { path: 'notes/mara.md' } },
        ],
        text: 'Let me see.',
      },
      answer,
    ]);
    const [first, second] = calls;
    assert.deepEqual(second?.messages.slice(0, first?.messages.length), first?.messages);
    assert.deepEqual(
      second?.messages.slice(2).map(({ role }) => role),
      ['assistant', 'tool', 'tool'],
    );
    assert.match(toolResults(second)[0] ?? '', /rope\.md/);
    assert.match(toolResults(second)[1] ?? '', /1\| Mara Lindqvist was born in Narvik/);
    assert.match(toolResults(second)[1] ?? '', /Left: 4 turns to look things up/);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'tool-used' ? [`${event.tool} ${event.asked}`] : [])),
      ['read notes/mara.md'],
    );
    assert.ok(events.some((event) => event.type === 'passages-retrieved' && event.query === 'rope Tallinn'));
    assert.deepEqual(first?.options.tools, second?.options.tools);
  });

  it('shows no line twice, within one turn too, in the order of the calls', async () => {
    const retriever = relayRetriever();
    const chains = retriever.chains.bind(retriever);
    retriever.chains = async (query, ...rest) => {
      if (query.includes('rope')) await new Promise((resolve) => setTimeout(resolve, 20));
      return chains(query, ...rest);
    };
    const { calls } = await ask(
      [
        {
          look: [
            { tool: 'search', arguments: { query: 'rope Tallinn' } },
            { tool: 'read', arguments: { path: 'notes/rope.md' } },
          ],
        },
        answer,
      ],
      { retriever },
    );
    const [searched, read] = toolResults(calls[1]);
    const [number] = /\[\d+\](?= notes\/rope\.md)/u.exec(searched ?? '') ?? [];
    assert.ok(number);
    assert.match(read ?? '', new RegExp(`^<evidence>\\nShown before: \\${number.slice(0, -1)}\\]\\n</evidence>`));
  });

  it('says which words and names no file has, outside of the fence', async () => {
    const { calls } = await ask([{ look: [{ tool: 'search', arguments: { query: 'cellar of the hut' } }] }, answer], {
      asked: 'How many beds does Fly have?',
      retriever: relayRetriever({
        scripts: { fly: { absent: [{ text: 'Fly', decides: true }] }, cellar: { unknown: ['cellar'] } },
      }),
    });
    assert.match(calls[0]?.messages[1]?.content ?? '', /<\/evidence>\n\nNo file has: Fly\.\n\nQuestion: /);
    assert.match(toolResults(calls[1])[0] ?? '', /^No file has: cellar\.\n\n<evidence>/);
  });

  it('takes a place of a list of references as a citation', async () => {
    const place = { ...REFERENCE, path: 'notes/heron.md', passageId: 'heron' };
    const { calls, answer: given } = await ask(
      [
        { look: [{ tool: 'references', arguments: { symbol: 'beds' } }] },
        'The keeper of Heron Hut is Jonas Berg [notes/heron.md:1].\nShort: Jonas Berg',
      ],
      { retriever: relayRetriever({ references: { beds: { references: [place], total: 1, files: 1 } } }) },
    );
    assert.match(toolResults(calls[1])[0] ?? '', /^Cite a place of this list as \[path:line\]\.\n\n<evidence>/);
    assert.equal(given?.statements[0]?.support, 'quote');
    assert.equal(given?.passages[0]?.path, 'notes/heron.md');
  });

  it('does the same by JSON with a model without tools', async () => {
    const { calls, answer: given } = await ask(
      [{ look: [{ tool: 'read', arguments: { path: 'notes/heron.md' } }] }, answer],
      { of: { tools: false, contextTokens: 8192 } },
    );
    assert.equal(calls[0]?.options.tools, undefined);
    assert.match(calls[0]?.prompt ?? '', /"look"/);
    assert.match(calls[1]?.prompt ?? '', /Jonas Berg/);
    assert.equal(given?.short, '12');
  });

  it('tells what a look found wrong, and goes on', async () => {
    const { calls, ending } = await ask([
      {
        look: [
          { tool: 'grep', arguments: { query: 'x' } },
          { tool: 'read', arguments: { file: 'x' } },
          { tool: 'read', arguments: { path: 'nowhere.md' } },
          { tool: 'read', arguments: '{"path": "notes/mara.md"' },
        ],
      },
      answer,
    ]);
    const [unknown, wrong, missing, mended] = toolResults(calls[1]);
    assert.match(unknown ?? '', /There is no tool "grep"\. There are: search, read, references, list/);
    assert.match(wrong ?? '', /read does not take these arguments\. path: /);
    assert.match(missing ?? '', /There is no file "nowhere\.md"/);
    assert.match(mended ?? '', /Mara Lindqvist was born/);
    assert.equal(ending, 'run-end');
  });

  it('stops looking when its turns are used, and answers', async () => {
    const { calls, answer: given } = await ask((call) =>
      call.options.toolChoice === 'none'
        ? answer
        : { look: [{ tool: 'search', arguments: { query: `beds ${Math.random()}` } }] },
    );
    assert.equal(calls.length, 6);
    assert.match(toolResults(calls.at(-1)).at(-1) ?? '', /Answer from what is shown/);
    assert.equal(given?.short, '12');
  });

  it('keeps a call for the answer when the budget ends', async () => {
    const { answer: given, calls } = await ask(
      (call) =>
        call.options.toolChoice === 'none' ? answer : { look: [{ tool: 'search', arguments: { query: 'beds' } }] },
      { options: { budget: { calls: 3, tokens: 200_000, seconds: 600, nodes: 20 }, critique: false } },
    );
    assert.equal(calls.length, 3);
    assert.equal(given?.short, '12');
  });

  it('asks again, once, with half of the evidence where the window overflows', async () => {
    const long = Array.from({ length: 12 }, (_, i) =>
      notePassage(
        `n${i}`,
        `Kestrel ${i}`,
        Array.from({ length: 40 }, (__, n) => `Kestrel Hut has beds, row ${n} of note ${i}.`).join('\n'),
      ),
    );
    const { calls, answer: given } = await ask(
      (_, index) =>
        index === 0
          ? { error: new ContextTooLongError('m', { tokens: 9000, contextTokens: 4096 }) }
          : 'It has beds [1:1].\nShort: beds',
      { retriever: new ScriptedRetriever(long) },
    );
    assert.equal(calls.length, 2);
    const [first = 0, second = 0] = calls.map(({ prompt }) => prompt.length);
    assert.ok(second < first * 0.7 && second > first * 0.3, `${first} ${second}`);
    assert.equal(given?.abstained, false);
  });

  it('asks once for citations, and refuses what has none then', async () => {
    const cited = await ask(['It has 12 beds.\nShort: 12', answer]);
    assert.equal(cited.answer?.short, '12');
    assert.equal(cited.answer?.abstained, false);
    assert.match(cited.calls[1]?.messages.at(-1)?.content ?? '', /cites no line/);
    const bare = await ask(['It has 12 beds.\nShort: 12', 'It has 12 beds.\nShort: 12']);
    assert.equal(bare.calls.length, 2);
    assert.equal(bare.answer?.abstained, true);
  });

  it('has a model that finds none look once more, and believes it then', async () => {
    const { calls, answer: given } = await ask(['Short: none', 'The notes do not say it.\nShort: none']);
    assert.equal(calls.length, 2);
    assert.match(calls[1]?.messages.at(-1)?.content ?? '', /search once more in other words/);
    assert.equal(given?.abstained, true);
    assert.match(given?.text ?? '', /^The notes do not say it\.\n\nClosest passages:/);
  });

  it('looks up what the reading misses, where the model looked for nothing itself', async () => {
    const { calls, answer: given } = await ask(
      (call, index) => {
        if (index === 0) return 'The keeper is Mara Lindqvist [1:1].\nShort: Mara\nMissing: Where is rope bought?';
        assert.match(call.messages.at(-1)?.content ?? '', /Tallinn/);
        return 'The keeper is Mara Lindqvist [1:1]. Rope is bought in Tallinn [rope.md:1].\nShort: Tallinn';
      },
      { asked: 'Who is the keeper of Kestrel Hut?' },
    );
    assert.equal(calls.length, 2);
    assert.equal(given?.short, 'Tallinn');
    assert.equal(given?.missing, undefined);
  });

  it('shows what a reader says of a premise that is false, with the lines that show it', async () => {
    const { answer: given, calls } = await ask(
      ['The hut has no cellar: it has 12 beds and nothing below them [kestrel.md:1].\nShort: there is no cellar'],
      { asked: 'Which keeper dug the cellar of Kestrel Hut?' },
    );
    assert.match(calls[0]?.prompt ?? '', /takes for granted what the evidence shows to be otherwise/);
    assert.equal(given?.abstained, false);
    assert.equal(given?.short, 'there is no cellar');
    assert.deepEqual(given?.statements[0]?.citations, [1]);
  });

  it('gives a partial answer with what is missing', async () => {
    const { answer: given } = await ask(Array(4).fill(`${answer}\nMissing: Who counts the beds of the moon?`));
    assert.equal(given?.abstained, false);
    assert.deepEqual(given?.missing, ['Who counts the beds of the moon?']);
  });

  it('streams the answer', async () => {
    const { events } = await ask(['Kestrel Hut has 12 beds [1:1]. That is all.\n\nShort: 12']);
    const deltas = events.flatMap((event) => (event.type === 'answer-delta' ? [event.text] : []));
    assert.ok(deltas.length >= 2);
    assert.equal(deltas.join('').trim(), 'Kestrel Hut has 12 beds. That is all.');
  });

  it('gives small windows the trail first, and tells what is left out', async () => {
    const long = notePassage(
      'long',
      'Kestrel',
      Array.from({ length: 300 }, (_, n) => `Beds of Kestrel Hut, row ${n}.`).join('\n'),
    );
    const { calls, answer: given } = await ask([answer.replace('[1:1]', '[kestrel.md:1]')], {
      retriever: relayRetriever({ more: [long] }),
      of: { contextTokens: 2048 },
    });
    assert.match(calls[0]?.prompt ?? '', /12 beds/);
    assert.equal(given?.short, '12');
  });

  it('asks models of small windows for little, in words that come last, and again with half where they find none', async () => {
    const settings = { of: { contextTokens: 4096 }, options: { operator: 'single-step' as const } };
    const { calls, answer: given } = await ask(['Short: none', answer], settings);
    assert.match(calls[0]?.prompt ?? '', /First say in one to three short sentences[\s\S]{0,300}$/u);
    assert.ok(calls.length === 2 && (calls[1]?.prompt.length ?? 0) < (calls[0]?.prompt.length ?? 0));
    assert.equal(given?.short, '12');
    const large = await ask(['Short: none'], { options: settings.options });
    assert.deepEqual([large.calls.length, large.answer?.abstained], [1, true]);
  });

  it('tells tokens as the provider counts them, cached ones too', async () => {
    const usage = { inputTokens: 1000, outputTokens: 20, cachedTokens: 800, estimated: false };
    const { events } = await ask([{ text: answer, usage }]);
    const end = events.at(-1);
    assert.ok(end?.type === 'run-end');
    assert.equal(end.usage.cachedTokens, 800);
    assert.equal(end.usage.inputTokens, 1000);
  });

  it('holds no example that could be taken for a citation', async () => {
    const { calls } = await ask([answer], { asked: BORN });
    const [system, user] = calls[0]?.messages ?? [];
    assert.doesNotMatch(`${system?.content} ${user?.content.replace(/<evidence>[\s\S]*<\/evidence>/u, '')}`, /\[\d/u);
  });
});
