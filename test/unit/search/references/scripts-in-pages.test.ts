import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ReferenceKind } from '../../../../src/search/domain/reference-answer.ts';
import { findReferences } from '../../../../src/search/references/find-references.ts';
import { indexOf } from './program-of.ts';

async function places(files: Record<string, string>, symbol: string, kind: ReferenceKind): Promise<string[]> {
  const { references } = await findReferences(await indexOf(files), { symbol, kind });
  return references.map(({ path, line }) => `${path}:${line}`);
}

describe('scripts in pages', () => {
  const files = {
    'src/rate.ts': 'export function ferryFare(km: number): number {\n  return km * 3;\n}\n',
    'src/plain.ts': "import { ferryFare } from './rate';\nexport const p = ferryFare(1);\n",
    'src/Ticket.vue': [
      '<script setup lang="ts">',
      "import { ferryFare } from './rate';",
      'const props = defineProps<{ km: number }>();',
      'function fareLabel() {',
      '  return `${ferryFare(props.km)} EUR`;',
      '}',
      '</script>',
      '',
      '<template>',
      '  <b>{{ fareLabel() }}</b>',
      '</template>',
    ].join('\n'),
    'src/Old.vue': [
      '<template><i @click="pay">x</i></template>',
      '<script>',
      'import { ferryFare } from "./rate";',
      'export default {',
      '  methods: {',
      '    pay() { return ferryFare(4); },',
      '  },',
      '};',
      '</script>',
    ].join('\n'),
    'src/Card.svelte': [
      '<script lang="ts">',
      "  import { ferryFare } from './rate';",
      '  export let km = 2;',
      '  const fare = ferryFare(km);',
      '</script>',
      '<p>{fare}</p>',
    ].join('\n'),
    'src/page.astro': "---\nimport { ferryFare } from './rate';\nconst fare = ferryFare(9);\n---\n<p>{fare}</p>\n",
    'docs/guide.mdx': "import { ferryFare } from '../src/rate'\n\n# Guide\n\nOne crossing costs {ferryFare(5)}.\n",
    'web/index.html': [
      '<p>Fares</p>',
      '<script type="module">',
      "  import { ferryFare } from '../src/rate.ts';",
      '  show(ferryFare(2));',
      '</script>',
    ].join('\n'),
  };

  it('are read by the grammars of programs', async () => {
    assert.deepEqual(await places(files, 'ferryFare', 'calls'), [
      'src/Card.svelte:4',
      'src/Old.vue:6',
      'src/Ticket.vue:5',
      'src/page.astro:3',
      'src/plain.ts:2',
      'web/index.html:4',
      'docs/guide.mdx:5',
    ]);
    assert.deepEqual(await places(files, 'fareLabel', 'calls'), ['src/Ticket.vue:10']);
  });

  it('and cells of notebooks', async () => {
    const cells = [{ cell_type: 'code', source: ['from fare import boat_fare\n', 'boat_fare(7)'] }];
    const notebook = { cells, metadata: { language_info: { name: 'python' } }, nbformat: 4 };
    const python = {
      'py/fare.py': 'def boat_fare(km):\n    return km * 3\n',
      'py/use.py': 'from fare import boat_fare\nboat_fare(8)\n',
      'py/use.ipynb': JSON.stringify(notebook, undefined, 1),
    };
    assert.deepEqual(await places(python, 'boat_fare', 'calls'), ['py/use.ipynb:7', 'py/use.py:2']);
  });
});

describe('imports that are no statement', () => {
  it('lead to their module as others do', async () => {
    const files = {
      'rate.ts': 'export function fare() {}\nexport interface Rate {\n  km: number;\n}\n',
      'lazy.ts': "export async function load() {\n  const { fare } = await import('./rate');\n  fare();\n}\n",
      'inside.js': "function load() {\n  const rate = require('./rate');\n  rate.fare();\n}\n",
      'all.ts': "export * as rate from './rate';\n",
      'typed.ts': "export function of(rate: import('./rate').Rate) {}\n",
    };
    assert.deepEqual(await places(files, 'rate.ts', 'imports'), ['all.ts:1', 'inside.js:2', 'lazy.ts:2', 'typed.ts:1']);
    assert.deepEqual(await places(files, 'fare', 'calls'), ['inside.js:3', 'lazy.ts:3']);
    assert.deepEqual(await places(files, 'Rate', 'uses'), ['typed.ts:1', 'typed.ts:1']);
  });
});

describe('files that no grammar reads', () => {
  it('are counted beside the list', async () => {
    const index = await indexOf({
      'rate.ts': 'export function fare() {}\n',
      'rate.lua': 'fare()\n',
      'page.md': 'fare\n',
    });
    const { unread } = await findReferences(index, { symbol: 'fare', kind: 'uses' });
    assert.equal(unread, 1);
  });
});
