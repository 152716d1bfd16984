import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { graphOf, shown } from './program-of.ts';

describe('overrides', () => {
  it('are methods that stand in for those of traits in Rust and of interfaces in Go', async () => {
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
      'shop/saver.go': 'package shop\ntype Saver interface {\n  Save(name string) error\n  Drop()\n}',
      'shop/disk.go': [
        'package shop',
        'type Disk struct{}',
        'func (d *Disk) Save(name string) error { return nil }',
        'func (d *Disk) Drop() {}',
        'type Half struct{}',
        'func (h Half) Save(name string) error { return nil }',
      ].join('\n'),
      'shop/work.go': 'package shop\nfunc Work(given Saver) error {\n  return given.Save("a")\n}',
    });
    const overriding = (symbol: string): string[] => graph.usesOf(graph.definitionsOf(symbol), 'overrides').map(shown);
    assert.deepEqual(overriding('Shut.shut'), [
      'overrides src/store.rs:7 Store.shut → Shut.shut',
      'overrides src/store.rs:12 inner.Till.shut → Shut.shut',
    ]);
    assert.deepEqual(overriding('Saver.Save'), ['overrides shop/disk.go:3 Disk.Save → Saver.Save']);
    const calls = (symbol: string): string[] => graph.usesOf(graph.definitionsOf(symbol), 'calls').map(shown);
    assert.deepEqual(calls('Store.shut'), ['calls src/main.rs:3 leave → Store.shut']);
    assert.deepEqual(calls('Disk.Save'), ['calls shop/work.go:3 Work → Disk.Save']);
    assert.deepEqual(calls('Half.Save'), []);
  });

  it('of a name that many types have are found in steps that grow with their number', async () => {
    const stepsFor = async (types: number): Promise<number> => {
      const shops = Array.from(
        { length: types },
        (_, i) => [`shop${i}/store.go`, `package shop${i}\ntype Store struct{}\nfunc (s *Store) Shut() {}`] as const,
      );
      const graph = await graphOf({
        'shut/shutter.go': 'package shut\ntype Shutter interface {\n  Shut()\n}',
        ...Object.fromEntries(shops),
      });
      const around = graph.program.around.bind(graph.program);
      let steps = 0;
      graph.program.around = (...given) => {
        steps += 1;
        return around(...given);
      };
      const found = graph.usesOf(graph.definitionsOf('Shut'), 'uses');
      assert.equal(found.filter(({ relation }) => relation === 'overrides').length, types);
      return steps;
    };
    const few = await stepsFor(20);
    assert.ok((await stepsFor(80)) < few * 6, 'four times the types take more than six times the steps');
  });
});
