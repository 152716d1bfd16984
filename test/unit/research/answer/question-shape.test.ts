import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { asksForList, shapeOf } from '../../../../src/research/answer/quote.ts';

describe('what a question asks for', () => {
  for (const question of [
    'Which places call the retry helper?',
    'Which storage drivers read the token?',
    'From which steps of a release is the log written?',
    "Which of the team's own huts are without a radio?",
    'What are the steps after a storm?',
    'Who is in the night watch?',
    'Who sits on both committees?',
    'Where is parseConfig called?',
    'List the suppliers of rope',
    'Name all keepers of Kestrel Hut.',
    'Which calls are cached?',
    'Which APIs need a key?',
    'Which repos are archived?',
    'Which schemas and quotas are there?',
    'Which menus show it?',
    'Which people have a key?',
  ])
    it(`several: ${question}`, () => assert.equal(asksForList(question), true));

  for (const question of [
    'Which class is the base of them?',
    'Which process status is shown?',
    'Which of the two gets together more often?',
    'Which setting makes the server listen?',
    'Which company makes the batteries?',
    'What does the class Boats do?',
    'Who keeps Kestrel Hut?',
    'Which hut has beds?',
    "What is the ferry's budget?",
    'Where is the key kept?',
    'How many keepers are there?',
    'What happens to my unused days if I resign?',
    'What triggers a rebuild?',
    'Which environment variable disables active help?',
    'Which function handles errors of the network?',
    'What made our batteries stop?',
    'What fails when the disk is full?',
    'What changes if I set debug?',
    'Which alias is used on macOS?',
    'Which 2 files differ?',
    'What broke the builds of the week?',
  ])
    it(`one: ${question}`, () => assert.equal(asksForList(question), false));

  it('decides how the quotes are laid out', () => {
    assert.equal(shapeOf('Which places call the helper?', 'inference'), 'list');
    assert.equal(shapeOf('Was Mara born in Narvik?', 'lookup'), 'sides');
    assert.equal(shapeOf('Which is older, Kestrel Hut or Heron Hut?', 'inference'), 'sides');
    assert.equal(shapeOf('Who keeps it?', 'comparison'), 'sides');
    assert.equal(shapeOf('Who keeps it?', 'inference'), 'answer');
    assert.equal(shapeOf('What is this about?', 'overview'), 'outline');
    assert.equal(shapeOf('Which error is raised when all attempts fail?', 'overview'), 'answer');
    assert.equal(shapeOf('Where do the settings come from?', 'overview'), 'answer');
    assert.equal(shapeOf('How many settings does it have in all?', 'overview'), 'answer');
    assert.equal(shapeOf('What does the line look like by default?', 'overview'), 'answer');
    assert.equal(shapeOf('How does it all work?', 'overview'), 'outline');
    assert.equal(shapeOf('Which kinds of replies are there?', 'overview'), 'list');
    assert.equal(shapeOf('What must be in a runbook?', 'lookup'), 'list');
    assert.equal(shapeOf('What does the report of a shift include?', 'lookup'), 'list');
    assert.equal(shapeOf('What must I do in a storm?', 'lookup'), 'answer');
  });
});
