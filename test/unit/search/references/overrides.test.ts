import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { graphOf, shown } from './program-of.ts';

describe('overrides', () => {
  it('are methods that stand in for those of traits in Rust', async () => {
    const graph = await graphOf({
      'src/shut.rs': 'pub trait Shut {\n    fn shut(&self);\n}\n',
      'src/store.rs': [
        'use crate::shut::Shut;',
        'pub struct Store;',
        'impl Store {',
        '    fn open() -> Store { Store }',
        '}',
        'impl Shut for Store {',
        '    fn shut(&self) {}',
        '}',
        'mod inner {',
        '    pub struct Till;',
        '    impl crate::shut::Shut for Till {',
        '        fn shut(&self) {}',
        '    }',
        '}',
      ].join('\n'),
      'src/main.rs': 'use crate::shut::Shut;\nfn leave(given: &dyn Shut) {\n    given.shut();\n}\n',
    });
    const overriding = (symbol: string): string[] => graph.usesOf(graph.definitionsOf(symbol), 'overrides').map(shown);
    assert.deepEqual(overriding('Shut.shut'), [
      'overrides src/store.rs:7 Store.shut → Shut.shut',
      'overrides src/store.rs:12 inner.Till.shut → Shut.shut',
    ]);
    const calls = (symbol: string): string[] => graph.usesOf(graph.definitionsOf(symbol), 'calls').map(shown);
    assert.deepEqual(calls('Store.shut'), ['calls src/main.rs:3 leave → Store.shut']);
  });

  it('of a name that many types have are found in steps that grow with their number', async () => {
    const looksFor = async (types: number): Promise<number> => {
      const heirs = Array.from({ length: types }, (_, i) => `class Heir${i} extends Base {\n  shut() {}\n}\n`);
      const graph = await graphOf({ 'shop.ts': `class Base {\n  shut() {}\n}\n${heirs.join('')}` });
      const targets = graph.definitionsOf('shut');
      let looks = 0;
      for (const target of targets) {
        const { container } = target;
        Object.defineProperty(target, 'container', { get: () => ((looks += 1), container) });
      }
      const found = graph.usesOf(targets, 'overrides');
      assert.equal(found.length, types);
      return looks;
    };
    const few = await looksFor(20);
    assert.ok((await looksFor(80)) < few * 6, 'four times the types take more than six times the looks');
  });
});
