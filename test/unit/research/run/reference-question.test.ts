import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { referenceQuestion } from '../../../../src/research/run/answer-references.ts';

describe('questions that references answer outright', () => {
  const outright: [string, string, string][] = [
    ['Who calls getMimeType?', 'calls', 'getMimeType'],
    ['what calls `Store.merge()`', 'calls', 'Store.merge()'],
    ['Which functions call the function load?', 'calls', 'load'],
    ['Which classes implement the Router interface?', 'implements', 'Router'],
    ['Who extends Base?', 'implements', 'Base'],
    ['What overrides Store::close?', 'overrides', 'Store::close'],
    ['Who uses MAX_AGE in the tests?', 'tests', 'MAX_AGE'],
    ['Which tests cover serve_static?', 'tests', 'serve_static'],
    ['Where is HttpError thrown?', 'throws', 'HttpError'],
    ['Where is the constant MAX_AGE set?', 'sets', 'MAX_AGE'],
    ['Where is Router defined?', 'definitions', 'Router'],
    ['where is "user.created" registered', 'uses', 'user.created'],
    ['What does serveStatic call?', 'callees', 'serveStatic'],
    ['List all callers of getMimeType.', 'calls', 'getMimeType'],
    ['Show me the implementations of Router', 'implements', 'Router'],
    ['Which files import src/router.ts?', 'imports', 'src/router.ts'],
  ];
  for (const [question, kind, symbol] of outright)
    it(question, () => assert.deepEqual(referenceQuestion(question), { kind, symbol }));

  it('are no others', () => {
    for (const question of [
      'Who calls getMimeType and why?',
      'Who is the supplier of the ferry?',
      'Where is the ferry to Halden used in winter?',
      'What does serveStatic do?',
      'Who calls the harbour master in an emergency?',
      'Which tests fail when the router changes its order?',
      'How is Router implemented?',
      'What are the costs of the ferry?',
    ])
      assert.equal(referenceQuestion(question), undefined, question);
  });
});
