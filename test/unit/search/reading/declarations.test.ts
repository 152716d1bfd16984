import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Block } from '../../../../src/search/reading/chunk/block.ts';
import { CodeParser } from '../../../../src/search/reading/code/code-parser.ts';
import { SourceText } from '../../../../src/search/reading/text/source-text.ts';
import { repositoryRoot } from './reading-harness.ts';

const parser = new CodeParser(repositoryRoot, (message) => assert.fail(message));

/** `first-last title` of all declarations, and what they define. */
async function declared(language: string, ...lines: string[]): Promise<{ blocks: string[]; defines: string[] }> {
  const { blocks, links } = await parser.parse(new SourceText(lines.join('\n')), 'gate', language);
  const all = (each: Block): Block[] => [each, ...each.children.flatMap(all)];
  return {
    blocks: blocks.flatMap(all).map(({ startLine, endLine, title }) => `${startLine}-${endLine} ${title}`),
    defines: links.filter(({ kind }) => kind === 'define').map(({ line, target }) => `${line} ${target}`),
  };
}

describe('declarations', () => {
  it('of several types in one statement of Go have each its own title', async () => {
    const found = await declared(
      'go',
      'package gate',
      '',
      'type (',
      '\t// Store holds the gates.',
      '\tStore struct {',
      '\t\tGates []string',
      '\t}',
      '\tKeeper struct {',
      '\t\tName string',
      '\t}',
      ')',
      '',
      'type Tide int',
    );
    assert.deepEqual(found, {
      blocks: ['4-7 Store', '8-10 Keeper', '13-13 Tide'],
      defines: ['5 Store', '8 Keeper', '13 Tide'],
    });
  });

  it('of Ruby are methods of the class itself, and those that are marked where they are declared', async () => {
    const found = await declared(
      'ruby',
      'class Gate',
      '  class << self',
      '    # Opens all of them.',
      '    def open_all(limit)',
      '      limit',
      '    end',
      '  end',
      '',
      '  # Whether the tide is low.',
      '  private def low?(tide)',
      '    tide.low?',
      '  end',
      'end',
    );
    assert.deepEqual(found, {
      blocks: ['1-13 Gate', '3-6 Gate > open_all', '9-12 Gate > low?'],
      defines: ['1 Gate', '4 Gate.open_all', '10 Gate.low?'],
    });
  });

  it('in the branches of a condition stand where the condition does', async () => {
    const python = await declared(
      'python',
      'if FAST:',
      '    import fast',
      '    LIMIT = 3',
      '    # Reads it at once.',
      '    def read(name):',
      '        return fast.read(name)',
      'else:',
      '    @cached',
      '    def read(name):',
      '        return poll(name)',
      'try:',
      '    import tide',
      'except ImportError:',
      '    class Tide:',
      '        def go(self):',
      '            return None',
    );
    assert.deepEqual(python.blocks, ['4-6 read', '8-10 read', '14-16 Tide', '15-16 Tide > go']);
    const php = await declared(
      'php',
      '<?php',
      "if (! function_exists('open_gate')) {",
      '    /** Opens it. */',
      '    function open_gate($name) { return find($name); }',
      '}',
      "if (! function_exists('shut_gate')) :",
      '    function shut_gate($name) { return find($name); }',
      'endif;',
    );
    assert.deepEqual(php.blocks, ['3-4 open_gate', '7-7 shut_gate']);
  });

  it('of Kotlin begin with their documentation right below the imports', async () => {
    const kotlin = await declared(
      'kotlin',
      'import tide.Gauge',
      '',
      '/** Opens. */',
      'class Gate {',
      '  val depth = 1',
      '}',
    );
    assert.deepEqual(kotlin.blocks, ['3-6 Gate']);
  });
});
