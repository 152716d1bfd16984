import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { defaultResearchOptions } from '../../../../src/research/context/research-options.ts';
import { activeGlobs, editorGlobs, readSettings } from '../../../../src/vscode/settings.ts';

const from = (values: Record<string, unknown>) => readSettings((key) => values[key], defaultResearchOptions);

describe('readSettings', () => {
  it('takes what fits and keeps the default for what does not', () => {
    const settings = from({
      'index.maxFileSize': 2,
      'index.exclude': ['**/x', 3, ''],
      'research.beam': 99,
      strategy: 'fast',
      'research.debate': 'loud',
      'budget.seconds': 'long',
      'budget.calls': 12,
      'budget.nodes': 8,
    });
    assert.equal(settings.index.maxFileBytes, 2 * 1024 * 1024);
    assert.deepEqual(settings.index.exclude, ['**/x']);
    assert.equal(settings.research.beam, 8);
    assert.equal(settings.research.strategy, 'fast');
    assert.equal(settings.research.debate, defaultResearchOptions.debate);
    assert.equal(settings.research.budget?.calls, 12);
    assert.equal(settings.research.budget?.nodes, 8);
    assert.equal(settings.research.budget?.seconds, defaultResearchOptions.budget.seconds);
  });

  it("are the papers' by default", () => {
    const { strength, rounds, judge, fastDebater, slowDebater, critique, budget, beam, threshold } =
      defaultResearchOptions;
    assert.deepEqual(
      { strength, rounds, judge, fastDebater, slowDebater, critique, nodes: budget.nodes, beam, threshold },
      {
        strength: 'L2',
        rounds: 2,
        judge: 'both',
        fastDebater: true,
        slowDebater: true,
        critique: true,
        nodes: 20,
        beam: 2,
        threshold: -1,
      },
    );
    const { research, loss } = from({});
    assert.deepEqual({ ...defaultResearchOptions, ...research }, defaultResearchOptions);
    assert.deepEqual(loss, { decomposition: 1, reading: 1, critique: 1 });
  });

  it('indexes always unless told when', () => {
    assert.equal(from({}).index.when, 'always');
    assert.equal(from({ indexing: 'idle' }).index.when, 'idle');
    assert.equal(from({ indexing: 'sometimes' }).index.when, 'always');
  });

  it('fixes an operator only when one is named', () => {
    assert.equal('operator' in from({ 'research.operator': '' }).research, false);
    assert.equal(from({ 'research.operator': 'sub-step' }).research.operator, 'sub-step');
    assert.equal(from({ 'research.operator': 'self-critical' }).research.operator, 'self-critical');
  });

  it('takes each part of the methods by its name, and the default for what there is not', () => {
    const methods = (values: Record<string, unknown>) => {
      const { fastDebater, slowDebater, rounds, strength, judge, operators, types, classifier } = from(values).research;
      return { fastDebater, slowDebater, rounds, strength, judge, operators, types, classifier };
    };
    const { fastDebater, slowDebater, rounds, strength, judge, operators, types, classifier } = defaultResearchOptions;
    const usual = { fastDebater, slowDebater, rounds, strength, judge, operators, types, classifier };
    assert.deepEqual(methods({}), usual);
    assert.deepEqual(
      methods({
        'research.debaters': 'slow',
        'research.rounds': 3,
        'research.strength': 'L3',
        'research.judge': 'soft',
        'research.operators': ['sub-step', 'single-step', 'sub-step'],
        'research.types': false,
        'research.classifier': 'examples',
      }),
      {
        fastDebater: false,
        slowDebater: true,
        rounds: 3,
        strength: 'L3',
        judge: 'soft',
        operators: ['sub-step', 'single-step'],
        types: false,
        classifier: 'examples',
      },
    );
    assert.deepEqual(
      methods({
        'research.debaters': 'nobody',
        'research.rounds': 'many',
        'research.strength': 'L4',
        'research.judge': 'stern',
        'research.operators': ['guess', 3],
        'research.types': 'no',
        'research.classifier': 'oracle',
      }),
      usual,
    );
    assert.deepEqual(
      [0, 2.6, 9].map((wanted) => from({ 'research.rounds': wanted }).research.rounds),
      [1, 3, 3],
    );
    assert.deepEqual(from({ 'research.operators': ['guess', 'sub-step', 3] }).research.operators, ['sub-step']);
    assert.deepEqual(from({ 'research.operators': 'sub-step' }).research.operators, operators);
  });

  it('fixes a strategy by its name, and a graph by its edges', () => {
    assert.equal(from({}).research.strategy, 'auto');
    assert.equal(from({ strategy: 'ircot' }).research.strategy, 'fixed:ircot');
    assert.equal(
      from({ strategy: 'graph', 'research.graph': 'no-retrieval>ircot,ircot>vote' }).research.strategy,
      'fixed:no-retrieval>ircot,ircot>vote',
    );
    assert.equal(from({ strategy: 'graph' }).research.strategy, 'auto');
    assert.equal(from({ strategy: 'whatever' }).research.strategy, 'auto');
  });

  it('uses another embedding model only when it is completely named', () => {
    assert.deepEqual(from({ 'embedder.kind': 'endpoint', 'embedder.baseUrl': 'http://x/v1' }).embedder, {
      kind: 'bundled',
    });
    assert.deepEqual(from({ 'embedder.kind': 'folder', 'embedder.folder': '/m' }).embedder, {
      kind: 'folder',
      path: '/m',
    });
    assert.deepEqual(
      from({ 'embedder.kind': 'endpoint', 'embedder.baseUrl': 'http://x/v1', 'embedder.model': 'm' }).embedder,
      { kind: 'endpoint', baseUrl: 'http://x/v1', model: 'm' },
    );
  });

  it('asks the server how much its model takes unless a number is set', () => {
    assert.equal('contextTokens' in from({ 'model.contextTokens': 0 }).model, false);
    assert.equal('contextTokens' in from({ 'model.contextTokens': 'much' }).model, false);
    assert.equal(from({ 'model.contextTokens': 32_768 }).model.contextTokens, 32_768);
  });

  it('knows a price only when one is set', () => {
    assert.equal(from({}).model.price, undefined);
    assert.deepEqual(from({ 'model.inputPrice': 2.5, 'model.currency': 'EUR' }).model.price, {
      input: 2.5,
      output: 0,
      currency: 'EUR',
    });
  });
});

describe('activeGlobs', () => {
  it('takes the patterns that are on, once', () => {
    assert.deepEqual(
      activeGlobs(
        { '**/.git': true, '**/*.js': { when: '$(basename).ts' }, '**/off': false },
        { '**/.git': true, '**/out': true },
        undefined,
      ),
      ['**/.git', '**/out'],
    );
  });
});

describe('editorGlobs', () => {
  it('leaves out what is hidden in any root, as it holds there', () => {
    const settings = {
      a: { files: { '**/.git': true, private: true }, search: { '**/out': true } },
      b: { files: { '**/.git': true, private: false }, search: { '**/out': false, drafts: true } },
    };
    assert.deepEqual(
      editorGlobs(['a', 'b'] as const, (section, root) => settings[root][section]),
      ['**/.git', 'private', '**/out', 'drafts'],
    );
    assert.deepEqual(
      editorGlobs(['b'] as const, (section, root) => settings[root][section]),
      ['**/.git', 'drafts'],
    );
  });
});
