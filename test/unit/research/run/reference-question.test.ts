import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { referenceQuestion } from '../../../../src/research/run/reference-question.ts';

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
    ['Where is MAX_AGE configured?', 'uses', 'MAX_AGE'],
    ['Where is the cjsSplitting plugin registered?', 'uses', 'cjsSplitting'],
    ['Where is the --install-completion option added?', 'keys', '--install-completion'],
    ['Where is `--verbose` defined?', 'keys', '--verbose'],
    ['What does serveStatic call?', 'callees', 'serveStatic'],
    ['List all callers of getMimeType.', 'calls', 'getMimeType'],
    ['Show me the implementations of Router', 'implements', 'Router'],
    ['Which files import src/router.ts?', 'imports', 'src/router.ts'],
    ['Where is the environment variable PORT read?', 'keys', 'PORT'],
    ['Where is the `PORT` env var used?', 'keys', 'PORT'],
    ['Which code uses the env var PORT?', 'keys', 'PORT'],
    ['Where is the route /users registered?', 'keys', '/users'],
    ['Where is the route GET /users/:id handled?', 'keys', '/users/:id'],
    ['What handles the "/users" endpoint?', 'keys', '/users'],
    ['Where is the config key cache.size read?', 'keys', 'cache.size'],
    ['Where is the cache.size setting set?', 'keys', 'cache.size'],
    ['Who reads the config key `cache`?', 'keys', 'cache'],
    ['Where is the event user.created emitted?', 'keys', 'user.created'],
    ['Who subscribes to user.created?', 'keys', 'user.created'],
    ['Which code emits "ready"?', 'keys', 'ready'],
    ['Which tests cover the route /users?', 'tests', '/users'],
    ['Which tests use the env var SHOP_PORT?', 'tests', 'SHOP_PORT'],
    ['Where is the --verbose flag read?', 'keys', '--verbose'],
    ['Where is the maxHops option set?', 'sets', 'maxHops'],
    ['Where is the event Bus used?', 'uses', 'Bus'],
    ['Where do we call loadAll?', 'calls', 'loadAll'],
    ['Is serveStatic tested?', 'tests', 'serveStatic'],
    ['Is the function `load` covered by unit tests?', 'tests', 'load'],
    ['What tests exist for serveStatic?', 'tests', 'serveStatic'],
    ['Are there any tests for Store.merge?', 'tests', 'Store.merge'],
    ['Does Store.merge have any tests?', 'tests', 'Store.merge'],
    ['Which tests are there for `it`?', 'tests', 'it'],
    ['Which docs mention MemoryStore?', 'documents', 'MemoryStore'],
    ['Where is `load` documented?', 'documents', 'load'],
    ['Where is Store.merge described in the docs?', 'documents', 'Store.merge'],
    ['Is MemoryStore mentioned in the documentation?', 'documents', 'MemoryStore'],
    ['Are there any docs for MemoryStore?', 'documents', 'MemoryStore'],
    ['List all pages that name MemoryStore', 'documents', 'MemoryStore'],
    ['Who reads Config.timeout?', 'reads', 'Config.timeout'],
    ['Where is Config.timeout set?', 'sets', 'Config.timeout'],
    ['Which classes include Enumerable?', 'implements', 'Enumerable'],
  ];
  for (const [question, kind, symbol] of outright)
    it(question, () => assert.deepEqual(referenceQuestion(question), { kind, symbol }));

  it('of a part of the program take a plain word for a name only where it is one', () => {
    assert.deepEqual(referenceQuestion('Where is the shebang plugin registered?'), {
      kind: 'uses',
      symbol: 'shebang',
      plain: ['shebang'],
    });
    assert.equal(referenceQuestion('Where is the shebang registered?')?.plain, undefined);
  });

  it('written as any word may be asked of a thing that no program names', () => {
    assert.deepEqual(referenceQuestion('Which tests cover redaction?'), {
      kind: 'tests',
      symbol: 'redaction',
      isWord: true,
    });
    assert.equal(referenceQuestion('Which tests cover `redaction`?')?.isWord, undefined);
    assert.equal(referenceQuestion('Who calls redaction?')?.isWord, undefined);
  });

  const numbers: [string, string, string, string][] = [
    ['How many places call getMimeType?', 'calls', 'getMimeType', 'places'],
    ['how many places call load', 'calls', 'load', 'places'],
    ['How many files import Router?', 'imports', 'Router', 'files'],
    ['How many functions call `load`?', 'calls', 'load', 'users'],
    ['How many tests cover serveStatic?', 'tests', 'serveStatic', 'places'],
    ['How many callers does getMimeType have?', 'calls', 'getMimeType', 'users'],
    ['How many implementations of Router are there?', 'implements', 'Router', 'places'],
    ['How often is getMimeType called?', 'calls', 'getMimeType', 'places'],
    ['In how many files is MAX_AGE used?', 'uses', 'MAX_AGE', 'files'],
  ];
  for (const [question, kind, symbol, counts] of numbers)
    it(question, () => assert.deepEqual(referenceQuestion(question), { kind, symbol, counts }));

  const ways: [string, string, string, string[]?][] = [
    ['How does `main` reach `clamp`?', 'main', 'clamp'],
    ['How does app.run get to serveStatic?', 'app.run', 'serveStatic'],
    ['how does main eventually call loadConfig', 'main', 'loadConfig', ['main']],
    ['What path leads from Table.m2m to Database.execute?', 'Table.m2m', 'Database.execute'],
    ['Which calls lead from openShop to closeDoor?', 'openShop', 'closeDoor'],
    ['Show me the call chain from the function main to close_door', 'main', 'close_door', ['main']],
    ['How is `A` connected to `B`?', 'A', 'B'],
    ['How are openShop and closeDoor related?', 'openShop', 'closeDoor'],
    ['Does A end up calling B?', 'A', 'B', ['A', 'B']],
    ['Can `main` ever reach closeDoor()?', 'main', 'closeDoor()'],
    ['Is there a path from cli.ts to Store::merge?', 'cli.ts', 'Store::merge'],
    ['How is closeDoor reached from main?', 'main', 'closeDoor', ['main']],
  ];
  for (const [question, symbol, to, plain] of ways)
    it(question, () =>
      assert.deepEqual(referenceQuestion(question), { kind: 'reaches', symbol, to, ...(plain && { plain }) }),
    );

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
      'How does the ferry reach the island in winter?',
      'How does the ferry reach the island?',
      'How does the index get to the panel?',
      'How do I get to the harbour?',
      'Is Halden connected to the ferry?',
      'Does the ferry call at Halden?',
      'How does a passage get to `Store.merge` when it is too long?',
      'Who calls it?',
      'Is it tested?',
      'Are they tested?',
      'Where is this used?',
      'What tests exist for everything?',
      'Is water damage covered?',
      'Is Halden covered?',
      'Is the water of the harbour tested?',
      'How many people use the ferry?',
      'How many users does the ferry have?',
      'How often does the ferry run?',
      'Where is the environment protected?',
      'Where is the route to Halden described?',
      'Who subscribes to the newsletter?',
      'Who fires the kiln?',
      'Which tests cover the route to Halden?',
    ])
      assert.equal(referenceQuestion(question), undefined, question);
  });
});
