import { runNoticeInWords } from '../../../../src/research/domain/run-notices.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runResearch } from '../../../doubles/run-research.ts';
import { notePassage, ScriptedRetriever } from '../../../doubles/scripted-retriever.ts';

const outage = notePassage(
  'outage',
  'Incidents > March outage',
  'The relay failed on 4 March.\nA keeper repaired the relay at night.\n\nNobody was hurt.',
);
const kestrel = notePassage(
  'kestrel',
  'Huts > Kestrel Hut',
  '# Kestrel Hut\n\nThe keeper of [Kestrel Hut](https://evil.example/map) is Mara Lindqvist [9].',
);
const other = notePassage('other', 'Suppliers > Rope', 'Rope is bought in Tallinn.');
const question = 'Which keeper repaired the relay that failed in March?';

function retriever(reading = {}): ScriptedRetriever {
  return new ScriptedRetriever([outage, kestrel, other], {
    scripts: { 'repaired the relay': { chain: ['outage', 'kestrel'], reading } },
  });
}

/** A comparison of two huts, each found by its name. */
const weighed = (asked: string, kestrel: string, heron: string) =>
  runResearch(asked, {
    retriever: new ScriptedRetriever(
      [notePassage('one', 'Kestrel Hut', kestrel), notePassage('two', 'Heron Hut', heron)],
      {
        scripts: {
          which: { chain: ['one'], reading: { answerability: 0.9 } },
          than: { chain: ['one', 'two'], reading: { answerability: 0.9 } },
          before: { chain: ['one', 'two'], reading: { answerability: 0.9 } },
          'kestrel hut': { chain: ['one'], reading: { answerability: 0.9 } },
          'heron hut': { chain: ['two'], reading: { answerability: 0.9 } },
        },
      },
    ),
    type: 'comparison',
  });

describe('extractive answers', () => {
  it('quote exactly, in hop order and then line order, each with its lines', async () => {
    const { answer, events } = await runResearch(question, { retriever: retriever({ answerability: 0.9 }) });
    assert.ok(answer);
    assert.equal(answer.by, 'extractive');
    assert.equal(answer.abstained, false);
    for (const citation of answer.citations) {
      const passage = answer.passages.find((candidate) => candidate.id === citation.passageId);
      assert.ok(passage && citation.quote && passage.text.includes(citation.quote));
    }
    assert.deepEqual(
      answer.citations.map((citation) => [citation.passageId, citation.startLine, citation.endLine]),
      [
        ['outage', 1, 2],
        ['kestrel', 3, 3],
      ],
    );
    assert.deepEqual(
      answer.statements.map((statement) => statement.support),
      ['quote', 'quote'],
    );
    assert.equal(
      events
        .filter((event) => event.type === 'answer-delta')
        .map((event) => event.text)
        .join(''),
      answer.text,
    );
  });

  it('lead with the best unit of the last hop where the reader is not sure, and guess nothing', async () => {
    const { answer } = await runResearch(question, { retriever: retriever({ answerability: 0.9 }) });
    assert.equal(answer?.confidence, 0.9);
    assert.equal(
      answer?.text,
      [
        '> The keeper of Kestrel Hut is Mara Lindqvist (9). [2]',
        '',
        '- “The relay failed on 4 March. A keeper repaired the relay at night.” [1]',
      ].join('\n'),
    );
    assert.deepEqual(answer?.lead, {
      kind: 'quotes',
      text: '> The keeper of Kestrel Hut is Mara Lindqvist (9). [2]',
      citations: [2],
    });
    assert.ok(answer?.short !== '' && kestrel.text.includes(answer?.short ?? '?'), 'in the words of the file');
  });

  it('lead with what came first where the years tell, marked with the quotes of their passages', async () => {
    const { answer } = await runResearch(question, {
      retriever: retriever({
        answerability: 0.9,
        byYears: { chosen: 'Mara Lindqvist', year: 1901, other: 'Ida', otherYear: 1911, passageIds: ['kestrel'] },
      }),
    });
    assert.equal(answer?.short, 'Mara Lindqvist');
    assert.deepEqual(answer?.lead, { kind: 'answer', text: '**Mara Lindqvist** [2]', citations: [2] });
    assert.match(answer?.text ?? '', /^\*\*Mara Lindqvist\*\* \[2\]\n\n- “The relay failed/);
  });

  it('show both sides of a comparison', async () => {
    const { answer } = await runResearch(question, {
      retriever: retriever({ answerability: 0.9 }),
      type: 'comparison',
    });
    assert.equal(
      answer?.lead?.text,
      '> The relay failed on 4 March. [1]\n\n> The keeper of Kestrel Hut is Mara Lindqvist (9). [3]',
    );
    assert.deepEqual([...new Set(answer?.citations.map((citation) => citation.passageId))], ['outage', 'kestrel']);
  });

  it('weigh both sides of what asks yes or no, whatever its type', async () => {
    const { answer } = await runResearch('Was the keeper who repaired the relay born in Narvik?', {
      retriever: retriever({ answerability: 0.9 }),
    });
    assert.equal(
      answer?.lead?.text,
      '> A keeper repaired the relay at night. [2]\n\n> The keeper of Kestrel Hut is Mara Lindqvist (9). [3]',
    );
  });

  it('say yes or no where the figures or days of both sides tell, and weigh them otherwise', async () => {
    const cases: readonly (readonly [string, string, string, string | undefined])[] = [
      ['Is Kestrel Hut older than Heron Hut?', 'Kestrel Hut was built in 1911.', 'Heron Hut was built in 1932.', 'Yes'],
      ['Is Kestrel Hut newer than Heron Hut?', 'Kestrel Hut was built in 1911.', 'Heron Hut was built in 1932.', 'No'],
      ['Is Kestrel Hut older than Heron Hut?', 'Kestrel Hut burnt in 1911.', 'Heron Hut was built in 1932.', undefined],
      ['Does Kestrel Hut have more beds than Heron Hut?', 'Kestrel Hut has 12 beds.', 'Heron Hut has 30 beds.', 'No'],
      ['Does Kestrel Hut have fewer beds than Heron Hut?', 'Kestrel Hut has 12 beds.', 'Heron Hut has 30 beds.', 'Yes'],
      ['Does Kestrel Hut have more beds than Heron Hut?', 'Kestrel Hut has 12 beds.', 'Heron Hut has beds.', undefined],
      [
        'Was Kestrel Hut painted before Heron Hut?',
        'Kestrel Hut was painted on 4 March 2024.',
        'Heron Hut was painted on 9 May 2023.',
        'No',
      ],
      [
        'Was Kestrel Hut painted before Heron Hut?',
        'Kestrel Hut was painted in May 2023.',
        'Heron Hut was painted in 2023.',
        undefined,
      ],
    ];
    for (const [question, kestrel, heron, expected] of cases) {
      const { answer } = await weighed(question, kestrel, heron);
      assert.equal(answer?.lead?.kind === 'answer' ? answer.short : undefined, expected, question);
      for (const unit of [kestrel, heron]) assert.ok(answer?.text.includes(unit), `${question} ${answer?.text}`);
    }
    const { answer } = await weighed(...(cases[0]?.slice(0, 3) as [string, string, string]));
    assert.equal(answer?.lead?.text, '**Yes** (Kestrel Hut: 1911; Heron Hut: 1932) [1][2]');
  });

  it('list what several passages say, beyond the chain, without one of them for the answer', async () => {
    const huts = ['kestrel', 'heron', 'tarn', 'fell'].map((id) =>
      notePassage(id, id, `The hut ${id} is without a radio.\n\nOther things are said, too.`),
    );
    const { answer } = await runResearch('Which huts are without a radio?', {
      retriever: new ScriptedRetriever(huts, {
        scripts: {
          'which huts': {
            chain: ['kestrel'],
            reading: {
              answerability: 0.9,
              byYears: { chosen: 'kestrel', year: 1901, other: 'heron', otherYear: 1911, passageIds: ['kestrel'] },
            },
          },
        },
      }),
    });
    assert.equal(answer?.lead, undefined);
    assert.equal(
      answer?.text,
      ['kestrel', 'heron', 'tarn', 'fell']
        .map((id, i) => `- “The hut ${id} is without a radio.” [${i + 1}]`)
        .join('\n'),
    );
  });

  it('say so when nothing answers, with the nearest passages', async () => {
    const { answer, ending, records } = await runResearch(question, { retriever: retriever({ answerability: 0.2 }) });
    assert.equal(ending, 'run-end');
    assert.equal(answer?.abstained, true);
    assert.equal(answer?.short, '');
    assert.equal(answer?.refusal, 'no-line-answers');
    assert.match(
      answer?.text ?? '',
      /^These files speak of it; no line was found that answers\.\n\n> The keeper of Kestrel Hut is Mara Lindqvist \(9\)\. \[1\]/,
    );
    assert.equal(answer?.lead?.kind, 'quotes');
    assert.match(answer?.text ?? '', /March outage \[2\]/);
    assert.deepEqual(answer?.statements, []);
    const node = records.find((record) => record.kind === 'node');
    assert.equal(node?.verdict?.verdict, 'unsupported');
    assert.equal(node?.verdict?.by, 'evidence');
  });

  it('say so in an empty workspace', async () => {
    const { answer } = await runResearch(question, { retriever: new ScriptedRetriever([]) });
    assert.equal(answer?.abstained, true);
    assert.equal(answer?.text, 'No file speaks of this.');
    assert.equal(answer?.refusal, 'nothing-speaks');
  });

  it('say that no file speaks of it where the nearest are about other things', async () => {
    const { answer } = await runResearch('Which moon of Jupiter did the keeper of Galileo photograph?', {
      retriever: retriever({ answerability: 0.2 }),
    });
    assert.equal(answer?.refusal, 'nothing-speaks');
    assert.equal(answer?.lead, undefined);
  });

  it('say which name no file has, whatever else was found', async () => {
    const { answer, events } = await runResearch('Which keeper repaired the CSRF relay that failed in March?', {
      retriever: new ScriptedRetriever([outage, kestrel, other], {
        scripts: {
          'csrf relay': {
            chain: ['outage', 'kestrel'],
            reading: { answerability: 0.9 },
            absent: [
              { text: 'CSRF', decides: true },
              { text: 'token', decides: false },
            ],
          },
        },
      }),
    });
    assert.equal(answer?.refusal, 'nothing-speaks');
    assert.deepEqual(answer?.absent, ['CSRF']);
    assert.match(answer?.text ?? '', /^No file speaks of CSRF\.\n\nThe nearest passages:/);
    assert.ok(!events.some((event) => event.type === 'notice' && event.code === 'absent-words'));
  });

  it('answer where only ordinary words stand nowhere, and say which', async () => {
    const absent = [{ text: 'warden', decides: false }];
    const { answer, events } = await runResearch('Which warden repaired the relay that failed in March?', {
      retriever: new ScriptedRetriever([outage, kestrel, other], {
        scripts: { warden: { chain: ['outage', 'kestrel'], reading: { answerability: 0.9 }, absent } },
      }),
    });
    assert.equal(answer?.abstained, false);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'notice' ? [[event.code, runNoticeInWords(event)]] : [])),
      [['absent-words', 'No file has this word of the question: “warden”.']],
    );
  });

  it('are surer where several words stand nowhere, or there is none', async () => {
    const absent = ['warden', 'bounty'].map((text) => ({ text, decides: false }));
    const ask = (answerability: number, words: number) =>
      runResearch('What bounty got the warden who repaired the relay that failed in March?', {
        retriever: new ScriptedRetriever([outage, kestrel, other], {
          scripts: { warden: { chain: ['outage'], reading: { answerability }, absent: absent.slice(0, words) } },
        }),
      });
    for (const [answerability, words] of [
      [0.6, 1],
      [0.75, 2],
    ] as const)
      assert.equal((await ask(answerability, words)).answer?.abstained, false);
    const { answer, events } = await ask(0.6, 2);
    assert.equal(answer?.refusal, 'no-line-answers');
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'notice' ? [runNoticeInWords(event)] : [])),
      ['No file has these words of the question: “warden”, “bounty”.'],
    );
  });

  it('say of a part of the files no more than was looked at', async () => {
    const absent = [{ text: 'warden', decides: false }];
    const said = async (coverage: object, reading: object): Promise<string[]> => {
      const { events, answer } = await runResearch('Which warden repaired the relay?', {
        retriever: new ScriptedRetriever([outage, kestrel], {
          scripts: { warden: { chain: ['outage'], reading, absent } },
          coverage,
        }),
        scope: { paths: ['notes/outage.md'] },
      });
      return [
        ...events.flatMap((event) => (event.type === 'notice' ? [runNoticeInWords(event)] : [])),
        answer?.text ?? '',
      ];
    };
    const answered = await said({}, { answerability: 0.9 });
    assert.equal(answered[0], 'Nothing that was looked at has this word of the question: “warden”.');
    const refused = await said({ indexing: true, passages: 0, embedded: 0, files: 0 }, { answerability: 0.1 });
    assert.ok(refused.some((text) => text.includes('Only notes/outage.md was looked at. No file has been read yet.')));
    for (const text of [...answered, ...refused]) assert.doesNotMatch(text, /workspace|No file (?:has this|speaks)/i);
  });

  it('outline several passages for a question over everything', async () => {
    const { answer } = await runResearch('What is known about the relay, Kestrel Hut and the rope?', {
      retriever: retriever(),
      type: 'overview',
    });
    assert.equal(answer?.abstained, false);
    assert.deepEqual(answer?.citations.map((citation) => citation.passageId).sort(), ['kestrel', 'other', 'outage']);
    assert.match(answer?.text ?? '', /- \*\*Suppliers > Rope\*\*: “Rope is bought in Tallinn.” \[\d\]/);
  });

  it('give no link and no foreign mark of the documents away', async () => {
    const { answer } = await runResearch(question, { retriever: retriever({ answerability: 0.9 }) });
    assert.doesNotMatch(answer?.text ?? '', /evil|\]\(|\[9\]/);
    assert.match(answer?.text ?? '', /^> The keeper of Kestrel Hut is Mara Lindqvist \(9\)\. \[\d\]/);
  });

  it('quote code as code, verbatim', async () => {
    const code = notePassage(
      'code',
      'Store > merge',
      'function merge<T>(a: Map<string, T>): void {\n  rows[0] = a.get("`x`");\n}',
      { kind: 'function', language: 'typescript' },
    );
    const sentences = [
      {
        passageId: 'code',
        start: code.text.indexOf('rows'),
        end: code.text.indexOf('\n}'),
        text: 'rows[0] = a.get("`x`");',
        score: 2,
      },
    ];
    const { answer } = await runResearch('What does merge do?', {
      retriever: new ScriptedRetriever([code], {
        scripts: { merge: { chain: ['code'], reading: { sentences, answerability: 0.8 } } },
      }),
    });
    assert.equal(
      answer?.text,
      '```typescript\nrows[0] = a.get("`x`");\n```\n\n`code.md:2` [1]',
      'what stands large is a block with its place',
    );
    assert.deepEqual(
      answer?.citations.map((citation) => [citation.startLine, citation.endLine]),
      [[2, 2]],
    );
  });

  it('say once what one line says of both parts, and which words of them no file has', async () => {
    const absent = (...words: string[]) => words.map((text) => ({ text, decides: false }));
    const reading = { answerability: 0.9 };
    const { answer, events } = await runResearch('Who is the warden of Kestrel Hut, and when is Kestrel Hut manned?', {
      retriever: new ScriptedRetriever([outage, kestrel, other], {
        scripts: {
          'who is the warden': { chain: ['kestrel'], reading, absent: absent('warden') },
          'when is kestrel': { chain: ['kestrel'], reading, absent: absent('warden', 'manned') },
        },
      }),
    });
    assert.equal(
      answer?.lead?.text,
      [
        '*Who is the warden of Kestrel Hut?*',
        '*When is Kestrel Hut manned?*',
        '> The keeper of Kestrel Hut is Mara Lindqvist (9). [1]',
      ].join('\n\n'),
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'notice' ? [runNoticeInWords(event)] : [])),
      ['No file has these words of the question: “warden”, “manned”.'],
    );
  });

  it('answer a question of two parts part by part, and say of each hop for which', async () => {
    const { answer, events } = await runResearch('Who is the keeper of Kestrel Hut, and where is rope bought?', {
      retriever: new ScriptedRetriever([outage, kestrel, other], {
        scripts: {
          'who is the keeper': { chain: ['kestrel'], reading: { answerability: 0.9 } },
          'where is rope': { chain: ['other'], reading: { answerability: 0.9 } },
        },
      }),
    });
    assert.equal(
      answer?.lead?.text,
      [
        '*Who is the keeper of Kestrel Hut?*',
        '> The keeper of Kestrel Hut is Mara Lindqvist (9). [1]',
        '*Where is rope bought?*',
        '> Rope is bought in Tallinn. [2]',
      ].join('\n\n'),
    );
    assert.ok(answer?.text.startsWith(answer.lead?.text ?? '?'), 'the lead is the beginning of the text');
    assert.deepEqual(answer?.lead?.citations, [1, 2]);
    assert.deepEqual(
      answer?.chain.hops.map(({ passage, why }) => [passage.id, why.kind, why.because]),
      [
        ['kestrel', 'sub-question', { code: 'found-for', question: 'Who is the keeper of Kestrel Hut?' }],
        ['other', 'sub-question', { code: 'found-for', question: 'Where is rope bought?' }],
      ],
    );
    assert.deepEqual(
      answer?.subAnswers.map(({ question: asked, found }) => [asked, found]),
      [
        ['Who is the keeper of Kestrel Hut?', true],
        ['Where is rope bought?', true],
      ],
    );
    for (const citation of answer?.citations ?? []) {
      const passage = answer?.passages.find(({ id }) => id === citation.passageId);
      assert.ok(passage && citation.quote && passage.text.includes(citation.quote));
    }
    const steps = events.flatMap((event) => (event.type === 'step-start' ? [[event.stepId, event.parentStepId]] : []));
    assert.deepEqual(steps, [
      ['s1', undefined],
      ['s2', 's1'],
      ['s3', 's1'],
    ]);
  });

  it('read a part that does not stand alone in what the part before is about', async () => {
    const leave = notePassage(
      'leave',
      'Parental leave',
      'There are 14 weeks of parental leave.\n\nThe head of people approves an extension.',
    );
    const lease = notePassage(
      'lease',
      'Office lease',
      'The landlord has to approve an extension.\n\nRent is due in May.',
    );
    const cases: Record<string, string> = {
      'How many weeks of parental leave are there, and who has to approve an extension?':
        'The head of people approves an extension.',
      'How many weeks of parental leave are there, and who has to approve its extension?':
        'The head of people approves an extension.',
      'How many weeks of parental leave are there, and who approves the extension?':
        'The head of people approves an extension.',
      'How many weeks of parental leave are there, and when is rent due?': 'Rent is due in May.',
      'How many weeks of parental leave are there, and who is a landlord?': 'The landlord has to approve an extension.',
    };
    for (const [asked, expected] of Object.entries(cases)) {
      const retriever = new ScriptedRetriever([lease, leave], {
        scripts: {
          'weeks of parental leave': { chain: ['leave'], reading: { answerability: 0.9 } },
          who: { chain: ['lease'], reading: { answerability: 0.9 } },
          rent: { chain: ['lease'], reading: { answerability: 0.9 } },
        },
      });
      const { answer } = await runResearch(asked, { retriever });
      assert.equal(answer?.lead?.text.split('\n\n').at(-1), `> ${expected} [2]`, asked);
      assert.equal(answer?.subAnswers[1]?.answer, expected, asked);
    }
  });

  it('say of a part that it has no answer, beside the part that has one', async () => {
    const { answer } = await runResearch('Who is the keeper of Kestrel Hut, and where is the CSRF token checked?', {
      retriever: new ScriptedRetriever([outage, kestrel, other], {
        scripts: {
          'who is the keeper': { chain: ['kestrel'], reading: { answerability: 0.9 } },
          csrf: { chain: ['other'], reading: { answerability: 0.9 }, absent: [{ text: 'CSRF', decides: true }] },
        },
      }),
    });
    assert.equal(answer?.abstained, false);
    assert.match(answer?.text ?? '', /^\*Who is the keeper.*\n\n> The keeper of Kestrel Hut/);
    assert.match(answer?.text ?? '', /\n\n\*Where is the CSRF token checked\?\* No file speaks of CSRF\.$/m);
    assert.deepEqual(
      answer?.subAnswers.map((one) => one.question),
      ['Who is the keeper of Kestrel Hut?'],
    );
  });

  it('refuse as one where no part has an answer', async () => {
    const { answer } = await runResearch('Who is the keeper of Kestrel Hut, and where is rope bought?', {
      retriever: new ScriptedRetriever([outage, kestrel, other], {
        scripts: { keeper: { reading: { answerability: 0.1 } }, rope: { reading: { answerability: 0.1 } } },
      }),
    });
    assert.equal(answer?.abstained, true);
    assert.equal(answer?.refusal, 'no-line-answers');
  });

  it('show the unit of either side of a comparison, each looked up on its own', async () => {
    const beds = [
      notePassage('one', 'Huts', 'Heron Hut has more beds than most.\n\nKestrel Hut has 12 beds.'),
      notePassage('two', 'Heron Hut', 'Heron Hut has 30 beds.\n\nIt was built of stone.'),
    ];
    const { answer } = await runResearch('Which has more beds, Kestrel Hut or Heron Hut?', {
      retriever: new ScriptedRetriever(beds, {
        scripts: {
          'which has more beds': { chain: ['one'], reading: { answerability: 0.9 } },
          'kestrel hut has': { chain: ['one'], reading: { answerability: 0.9 } },
          'heron hut has': { chain: ['two'], reading: { answerability: 0.9 } },
        },
      }),
      type: 'comparison',
    });
    const units = ['*Kestrel Hut*', '> Kestrel Hut has 12 beds. [1]', '*Heron Hut*', '> Heron Hut has 30 beds. [2]'];
    const verdict = '**Heron Hut** (Heron Hut: 30 beds; Kestrel Hut: 12 beds) [1][2]';
    assert.deepEqual(answer?.lead, { kind: 'answer', text: verdict, citations: [1, 2] });
    assert.equal(answer?.short, 'Heron Hut');
    assert.equal(answer?.text.startsWith([verdict, ...units].join('\n\n')), true, answer?.text);
  });

  it('weigh days, not figures, where the more recent is asked for', async () => {
    const { answer } = await weighed(
      'Which was painted more recently, Kestrel Hut or Heron Hut?',
      'Kestrel Hut was painted on 4 March 2024, for 30 days.',
      'Heron Hut was painted on 9 May 2023, for 90 days.',
    );
    assert.equal(answer?.short, 'Kestrel Hut');
  });

  it('leave the verdict open where a unit of a comparison has no figure of the kind', async () => {
    for (const [question, kestrel, heron] of [
      ['Which has more beds, Kestrel Hut or Heron Hut?', 'Kestrel Hut has 12 beds.', 'Heron Hut has many beds.'],
      [
        'Which has more beds, Kestrel Hut or Heron Hut?',
        'Kestrel Hut has 12 beds, once 9 beds.',
        'Heron Hut has 30 beds.',
      ],
      ['Which has more beds, Kestrel Hut or Heron Hut?', 'Kestrel Hut has 12 beds.', 'Heron Hut has 12 beds.'],
      ['Which is more often visited, Kestrel Hut or Heron Hut?', 'Kestrel Hut: 12 days.', 'Heron Hut: 30 days.'],
      ['Which has more beds, Kestrel Hut or Heron Hut?', 'Kestrel Hut: 12 km to beds.', 'Heron Hut: 30 km to beds.'],
      [
        'Which was painted earlier, Kestrel Hut or Heron Hut?',
        'Kestrel Hut was painted on 4 March 2024.',
        'Heron Hut was painted on 4 March 2024 at 14:05.',
      ],
      ['Which was built first, Kestrel Hut or Heron Hut?', 'Kestrel Hut was built in 1911.', 'Heron Hut was built.'],
      ['Which opens later, Kestrel Hut or Heron Hut?', 'Kestrel Hut, built in 1911.', 'Heron Hut, built in 1932.'],
      [
        'Which hut whose keeper came later, Kestrel Hut or Heron Hut?',
        'Kestrel Hut, keeper 1911.',
        'Heron Hut, keeper 1932.',
      ],
      [
        'Which has the longer season, Kestrel Hut or Heron Hut?',
        'Kestrel Hut: 12 days of snow.',
        'Heron Hut: 30 days of snow.',
      ],
    ]) {
      const { answer } = await weighed(question ?? '', kestrel ?? '', heron ?? '');
      assert.equal(answer?.lead?.kind, 'quotes', question);
    }
  });

  it('say which of two is earlier, by the days in their units', async () => {
    const { answer } = await weighed(
      'Which was repaired earlier, Kestrel Hut or Heron Hut?',
      'Kestrel Hut was repaired on 4 March 2024.',
      'Heron Hut was repaired in May 2019.',
    );
    assert.equal(answer?.lead?.text, '**Heron Hut** (Heron Hut: 2019-05; Kestrel Hut: 2024-03-04) [1][2]');
  });

  it('tell the time between two days, which no line says', async () => {
    for (const [question, expected] of [
      ['How many days were there between the failure of the relay and its repair?', undefined],
      ['How many days passed between the failure and the repair?', '5 days'],
      ['How many weeks passed from the failure until the repair?', '5 days'],
      ['How many hours passed between the failure and the repair?', undefined],
      ['How long is the way from the failure to the repair?', undefined],
    ]) {
      const days = [
        notePassage('one', 'Log > The failure', 'The failure came on 4 March 2024.'),
        notePassage('two', 'Log > The repair', 'The repair was done by 9 March 2024.'),
      ];
      const { answer } = await runResearch(question ?? '', {
        retriever: new ScriptedRetriever(days, {
          scripts: {
            'how many': { chain: ['one'], reading: { answerability: 0.2 } },
            'when was the failure': { chain: ['one'], reading: { answerability: 0.9 } },
            'when was the repair': { chain: ['two'], reading: { answerability: 0.9 } },
          },
        }),
      });
      assert.equal(answer?.lead?.kind === 'answer' ? answer.short : undefined, expected, question);
    }
  });

  it('show sources that disagree side by side', async () => {
    const one = notePassage('one', 'Budget', 'The budget of the ferry is 1,200 crowns.');
    const two = notePassage('two', 'Minutes', 'The budget of the ferry is 1,450 crowns.');
    const { answer } = await runResearch('What is the budget of the ferry?', {
      retriever: new ScriptedRetriever([one, two]),
    });
    assert.equal(answer?.conflicts.length, 1);
    assert.match(answer?.conflicts[0]?.statement ?? '', /notes\/one\.md says 1,200, notes\/two\.md says 1,450/);
    assert.deepEqual(
      answer?.conflicts[0]?.hops.map((hop) => hop.passage.id),
      ['one', 'two'],
    );
  });
});
