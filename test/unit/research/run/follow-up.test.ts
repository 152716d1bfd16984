import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readRewritten } from '../../../../src/research/run/follow-up.ts';
import { leansOnHistory } from '../../../../src/research/run/leans-on-history.ts';

const history = [{ question: 'Who makes the batteries of the mast?', answer: 'Halden Cells' }];

describe('leansOnHistory', () => {
  for (const question of [
    'Who supplies the mast?',
    'Which files import the merge function?',
    'What is deduplication?',
    'Who is Marta?',
    'When does the ferry contract end, and who signed it?',
    'Which supplier delivers the antennas and where is its office?',
    'What is the total of the one-time costs in the ferry decision?',
    'Is there a runbook for the radio that was replaced in 2023?',
    'What does this repository use for logging?',
    'And who delivers spare parts for Kestrel Shoulder?',
    'How does Store.merge resolve conflicts?',
    'Do the mast and the ferry use the same supplier?',
    'What are these constants in limits.ts for?',
    'How do these functions in limits.ts work?',
    'Which file defines this class: IndexSession?',
    'Where is the harbour office and how do I get there?',
    'Who signed it, the ferry contract?',
    'Which of them is older: Kestrel Hut or Heron Hut?',
    'So who supplies batteries?',
    'And who signed the ferry contract?',
    'So what is BELLE?',
    'Explain deduplication.',
    'Who joined the team this year?',
    'What does this extension send to a server?',
    'How long does it take to charge a battery?',
    'Is it possible to reset the password?',
    'Is it worth replacing the radio?',
    'Was it Halden Cells that supplied the batteries?',
    'What is BELLE and who made it?',
    'What must a keeper do before he leaves?',
    'Which company makes its own batteries?',
    'Which huts are older than those of the valley?',
    'Who else works at Kestrel Hut?',
    'When does the ferry contract end, and why is that?',
    'Wie hieß die Hütte früher?',
    'Wo kommt der Name der Hütte her?',
  ])
    it(`leaves alone: ${question}`, () => assert.equal(leansOnHistory(question, history), false));

  for (const question of [
    'How does the indexer store its vectors?',
    'Where does Hoptrail keep its settings?',
    'How do users reset their password?',
    'When did Ruth Ockley sell her company?',
    'What does the keeper do with his own dogs?',
    "Why doesn't the hut lock its door?",
    'Has Mara Lind sold her company?',
    'Why is Mara Lind selling her company?',
    'Where can guests leave their boots?',
    'Explain how the indexer stores its vectors.',
    'What happens when users reset their password?',
    'Which huts have lost their roof?',
    'Does anybody leave their boots outside?',
  ])
    it(`finds the owner in the question itself: ${question}`, () =>
      assert.equal(leansOnHistory(question, history), false));

  for (const question of [
    'Where are its settings?',
    'What colour is its roof?',
    'In which town was her father born?',
    'Who signed its contract?',
    'Which company makes its batteries?',
    'What is the name of her company?',
    'Where is the office of their supplier?',
    'How is the key to its door kept?',
    'When did the founder of its supplier die?',
    'Was Mara Lind its keeper?',
    'How do we replace its battery?',
    'How do users open its door?',
    'How did the users open its door?',
    'Does anybody open its door?',
    'How many people work in its office?',
    'What was said about her company?',
    'How often do you change its battery?',
    'When did Mara Lind meet her?',
    'How does the indexer store them?',
    'And when did Mara Lind repair it?',
  ])
    it(`finds no owner in the question: ${question}`, () => assert.equal(leansOnHistory(question, history), true));

  it('takes IT for a department, and it for a pronoun', () => {
    assert.equal(leansOnHistory('Who runs the IT department?', history), false);
    for (const question of ['Who runs it?', 'It costs how much?', 'WHO RUNS IT?'])
      assert.equal(leansOnHistory(question, history), true, question);
  });

  it('takes those that do something for what the question says of them', () => {
    assert.equal(leansOnHistory('Which passages are those that link to others?', history), false);
    assert.equal(leansOnHistory('Who lives among those who repaired the mast?', history), false);
    assert.equal(leansOnHistory('Who repaired those?', history), true);
    assert.equal(leansOnHistory('Do those huts have beds?', history), true);
  });

  for (const question of [
    'What does it cost?',
    'Where was she born?',
    'Did Marta sign it?',
    'And in 2019?',
    'And who sold it?',
    'What about the costs?',
    'What about their keeper?',
    'Why?',
    'Since when?',
    'Which supplier?',
    'Who else?',
    'Why is that?',
    'Which one is older?',
    'Who works there?',
    'What do these have in common?',
    'Who wrote this class?',
    'Why does this differ in Kestrel Hut?',
    'Why was this changed in limits.ts?',
    'Did this supplier deliver to Kestrel Hut?',
    'Who signed it, Marta or Ruth?',
    'Who signed it, and when?',
    'Did she sign it, Mara Lind?',
    'When did she die, in 1999?',
    'Did Mara Lind work there?',
    'Who else signed?',
    'Who repaired those of Kestrel Hut?',
    'And when did Marta sign?',
    'And where is the roof?',
    'So is it red?',
    'Is it a hut that has beds?',
    'How does it connect to Kestrel Hut?',
    'How long does it take to charge it?',
    'What is the name of its own company?',
  ])
    it(`does not understand alone: ${question}`, () => assert.equal(leansOnHistory(question, history), true));

  it('leans on nothing where nothing was said', () => assert.equal(leansOnHistory('And in 2019?', []), false));
});

describe('readRewritten', () => {
  const asked = 'And in 2019?';
  const rewritten = 'How many were sold in 2019?';
  for (const reply of [
    rewritten,
    `Here is the rewritten question:\n${rewritten}`,
    `Here is the rewritten question: ${rewritten}`,
    `Sure.\n\n**${rewritten}**`,
    `**${rewritten}**`,
    `*"${rewritten}"*`,
    `“${rewritten}”`,
    `> ${rewritten}`,
    `**Rewritten question:** ${rewritten}`,
    `**Rewritten question**: ${rewritten}`,
    `The rewritten question is: ${rewritten}`,
    `Question: ${rewritten}\nIt names what was sold.`,
    `<think>What was sold?</think>${rewritten}`,
  ])
    it(`reads the question of ${JSON.stringify(reply)}`, () => {
      assert.equal(readRewritten(reply, asked), rewritten);
      assert.equal(readRewritten(reply, 'And in 2019'), rewritten);
    });

  it('takes the first line where nothing was asked with a question mark, but none that only leads to it', () => {
    assert.equal(readRewritten('List the huts of 2019.\nDone.', 'List those of 2019.'), 'List the huts of 2019.');
    const led = 'Here is the rewritten request:\nList the huts of 2019.';
    assert.equal(readRewritten(led, 'List those of 2019.'), 'List the huts of 2019.');
    assert.equal(readRewritten('Here is the rewritten question:', 'List those of 2019.'), undefined);
  });

  it('keeps marks that do not enclose the whole question, and what leads to no other', () => {
    for (const question of [
      'Is "Kestrel" or "Heron" older?',
      '"Kestrel" or "Heron": which is older?',
      'Which is older, `Kestrel` or `Heron`?',
      'Who asked the question: Mara Lind or Ruth Ockley?',
    ])
      assert.equal(readRewritten(question, asked), question);
  });

  it('takes no answer for the question, whatever the question mark', () => {
    assert.equal(readRewritten('2019年です。', 'それはいつですか？'), undefined);
    assert.equal(readRewritten('契約はいつですか？', 'それはいつですか？'), '契約はいつですか？');
  });

  it('loses a quotation mark without another', () => assert.equal(readRewritten(`“${rewritten}`, asked), rewritten));

  it('finds none in what is no question, or in thoughts that never end', () => {
    for (const reply of ['', 'I cannot tell.', '<think>Were they sold in 2019?', 'Here it is:'])
      assert.equal(readRewritten(reply, asked), undefined);
  });
});
