import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { indexOf } from './program-of.ts';

describe('the signature of a definition', () => {
  const families: Record<string, { text: string; symbol: string; signature: string }[]> = {
    'store.ts': [
      {
        text: 'export async function open(\n  name: string,\n  { lines = 3 }: Options = {},\n): Promise<{ found: Line[] }> {\n  return find(name);\n}',
        symbol: 'open',
        signature: 'export async function open(name: string, { lines = 3 }: Options = {}): Promise<{ found: Line[] }>',
      },
      {
        text: 'export const find = (name: string): Line | undefined => lines.get(name);',
        symbol: 'find',
        signature: 'export const find = (name: string): Line | undefined',
      },
      {
        text: 'export class Store extends Base implements Shelf {\n  find(): void {}\n}',
        symbol: 'Store',
        signature: 'export class Store extends Base implements Shelf',
      },
    ],
    'store.js': [
      { text: "function say(text = '{') {\n  log(text);\n}", symbol: 'say', signature: "function say(text = '{')" },
    ],
    'store.py': [
      {
        text: '@cached\ndef open_store(\n    name: str,\n    *,\n    lines: int = 3,\n) -> "Store":\n    """Opens."""\n    return 1\n',
        symbol: 'open_store',
        signature: 'def open_store(name: str, *, lines: int = 3) -> "Store"',
      },
    ],
    'store.go': [
      {
        text: 'package shop\nfunc (s *Store) Find(name string) (Line, error) {\n  return s.lines[name], nil\n}\n',
        symbol: 'Find',
        signature: 'func (s *Store) Find(name string) (Line, error)',
      },
    ],
    'store.rs': [
      {
        text: "pub fn find<'a, T>(name: &'a str) -> Option<T>\n{\n    None\n}\n",
        symbol: 'find',
        signature: "pub fn find<'a, T>(name: &'a str) -> Option<T>",
      },
    ],
    'Store.java': [
      {
        text: 'class Store {\n  public Line find(String name,\n      int from) throws ShopError {\n    return null;\n  }\n}',
        symbol: 'Store.find',
        signature: 'public Line find(String name, int from) throws ShopError',
      },
    ],
    'Store.kt': [
      {
        text: 'class Store {\n  fun find(name: String): Line? = lines[name]\n}',
        symbol: 'Store.find',
        signature: 'fun find(name: String): Line?',
      },
    ],
    'store.cpp': [
      {
        text: 'Line Store::find(const std::string& name) const {\n  return lines.at(name);\n}',
        symbol: 'Store.find',
        signature: 'Line Store::find(const std::string& name) const',
      },
    ],
    'store.h': [
      {
        text: 'int open_store(const char *name);',
        symbol: 'open_store',
        signature: 'int open_store(const char *name)',
      },
    ],
    'Store.cs': [
      {
        text: 'class Store {\n  public Line Find(string name) => lines[name];\n}',
        symbol: 'Store.Find',
        signature: 'public Line Find(string name)',
      },
    ],
    'store.rb': [
      {
        text: 'class Store\n  def find(name, from: 1)\n    lines[name]\n  end\nend',
        symbol: 'Store.find',
        signature: 'def find(name, from: 1)',
      },
    ],
    'store.php': [
      {
        text: '<?php\nclass Store {\n  public function find(string $name): ?Line\n  {\n    return null;\n  }\n}',
        symbol: 'Store.find',
        signature: 'public function find(string $name): ?Line',
      },
    ],
    'Store.swift': [
      {
        text: 'class Store {\n  func find(_ name: String) throws -> Line? {\n    return nil\n  }\n}',
        symbol: 'Store.find',
        signature: 'func find(_ name: String) throws -> Line?',
      },
    ],
  };
  for (const [path, definitions] of Object.entries(families))
    it(`is all before its body in ${path}`, async () => {
      for (const { text, symbol, signature } of definitions) {
        const answer = await findReferences(await indexOf({ [path]: text }), { symbol, kind: 'definitions' });
        assert.deepEqual(
          answer.definitions.map((one) => one.signature),
          [signature],
        );
      }
    });

  it('is none of a value', async () => {
    const index = await indexOf({ 'limits.ts': 'export const LIMIT = 3;' });
    const { definitions } = await findReferences(index, { symbol: 'LIMIT', kind: 'definitions' });
    assert.deepEqual([definitions[0]?.text, definitions[0]?.signature], ['export const LIMIT = 3;', undefined]);
  });
});
