import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { passagesOf, unitsOf } from './units-harness.ts';

const text = (...lines: string[]): string => lines.join('\n');
const titlesOf = async (path: string, said: string): Promise<string[]> =>
  (await passagesOf(path, said)).map(({ startLine, endLine, title }) => `${startLine}-${endLine} ${title}`);

describe('units of a text without a grammar', () => {
  it('of Terraform know the resource or the variable that they are set in', async () => {
    const said = text(
      'variable "depth" {',
      '  description = "How deep the lock is, in metres"',
      '  type        = number',
      '  default     = 12',
      '}',
      '',
      '################',
      '# Gates',
      '################',
      '',
      'resource "port_gate" "north" {',
      '  count = var.depth > 3 ? 1 : 0',
      '',
      '  notes = <<-EOT',
      '    Opens at high water.',
      '    Closes at night.',
      '  EOT',
      '}',
    );
    assert.deepEqual(await unitsOf('gates.tf', said), [
      `default ${said.slice(0, said.indexOf('\n\n'))}`,
      'comment Gates',
      'signature resource "port_gate" "north" {',
      'default {resource "port_gate" "north"} count = var.depth > 3 ? 1 : 0',
      'statement {resource "port_gate" "north"} notes = <<-EOT',
      'comment {resource "port_gate" "north" › notes} Opens at high water.\n    Closes at night.',
    ]);
    assert.deepEqual(await titlesOf('gates.tf', said), ['1-18 variable "depth", resource "port_gate" "north"']);
  });

  it('of Elixir are the paragraphs, items and sections of a doc string, and the bodies below their heads', async () => {
    const said = text(
      'defmodule Ferry.Retry do',
      '  @moduledoc """',
      '  Calls the ferry again.',
      '',
      '  ## Options',
      '',
      '  - `:delay` - how long it waits (defaults to 50)',
      '  - `:most` - how often it calls',
      '  """',
      '',
      '  @defaults [',
      '    delay: 50,',
      '    most: 5,',
      '    loud: false,',
      '  ]',
      '',
      '  @doc "Calls."',
      '  @spec call(Ferry.t()) :: :ok',
      '  def call(ferry) do',
      '    # A ferry that sank is not called.',
      '    if ferry.sank do',
      '      raise ArgumentError, "it sank"',
      '    else',
      '      horn(ferry)',
      '      horn(ferry)',
      '    end',
      '  end',
      'end',
    );
    const about = 'defmodule Ferry.Retry';
    assert.deepEqual(await unitsOf('lib/retry.ex', said), [
      `signature ${about} do`,
      `comment {${about}} Calls the ferry again.`,
      `comment {${about} › Options} - \`:delay\` - how long it waits (defaults to 50)`,
      `comment {${about} › Options} - \`:most\` - how often it calls`,
      `statement {${about}} @defaults [`,
      `default {${about} › @defaults} delay: 50,`,
      `default {${about} › @defaults} most: 5,`,
      `default {${about} › @defaults} loud: false,`,
      `statement {${about}} @doc "Calls."`,
      `statement {${about}} @spec call(Ferry.t()) :: :ok`,
      `signature {${about}} def call(ferry) do`,
      `comment {${about} › def call(ferry) › if ferry.sank} # A ferry that sank is not called.`,
      `error {${about} › def call(ferry)} if ferry.sank do\n      raise ArgumentError, "it sank"`,
      `statement {${about} › def call(ferry)} else\n      horn(ferry)\n      horn(ferry)\n    end`,
    ]);
  });

  it('of Elixir are what a doc string says of the module, and not of the line below it', async () => {
    const said = text(
      'defmodule Ferry do',
      '  @moduledoc """',
      '  It crosses.',
      '  """',
      '  @horn 3',
      '  def horn, do: @horn',
      'end',
    );
    assert.deepEqual((await unitsOf('lib/ferry.ex', said)).slice(0, 3), [
      'signature defmodule Ferry do',
      'comment {defmodule Ferry} """\n  It crosses.\n  """',
      'statement {defmodule Ferry} @horn 3',
    ]);
  });

  it('of SQL, Dart and settings know their table, their method, their section', async () => {
    const sql = text(
      '-- Boats that lie here.',
      'CREATE TABLE boats (',
      '  id bigint PRIMARY KEY,',
      '  length numeric NOT NULL DEFAULT 12.5,',
      '  owner text',
      ');',
    );
    assert.deepEqual(await unitsOf('boats.sql', sql), [
      'comment {CREATE TABLE boats} -- Boats that lie here.',
      'signature CREATE TABLE boats (',
      'statement {CREATE TABLE boats} id bigint PRIMARY KEY,',
      'statement {CREATE TABLE boats} length numeric NOT NULL DEFAULT 12.5,',
      'statement {CREATE TABLE boats} owner text',
    ]);
    const dart = text(
      'class Gate {',
      '  /// Opens it slowly.',
      '  Future<void> open(',
      '    String who,',
      '  ) async {',
      '    horn();',
      '    wait();',
      '  }',
      '}',
    );
    assert.deepEqual(await unitsOf('gate.dart', dart), [
      'signature class Gate {',
      'comment {class Gate › Future<void> open} /// Opens it slowly.',
      'statement {class Gate} Future<void> open(',
      'statement {class Gate › Future<void> open} String who,',
      'statement {class Gate › Future<void> open} horn();',
      'statement {class Gate › Future<void> open} wait();',
    ]);
    assert.deepEqual(
      await unitsOf('port.ini', text('[server]', '; in seconds', 'timeout = 30', '[client]', 'retries = 2')),
      [
        'signature [server]',
        'comment {[server] › timeout = 30} ; in seconds',
        'default {[server]} timeout = 30',
        'signature [client]',
        'default {[client]} retries = 2',
      ],
    );
  });

  it('of a template that is no YAML are its lines below their keys', async () => {
    const said = text(
      'kind: Service',
      'spec:',
      '{{- if .Values.open }}',
      '  type: ClusterIP',
      '  ports:',
      '    - port: {{ .Values.port }}',
      '      name: "gate',
      '      protocol: TCP',
      '{{- end }}',
    );
    assert.deepEqual(await unitsOf('chart/service.tpl', said), [
      'statement kind: Service',
      'statement spec:',
      'statement {{- if .Values.open }}',
      'statement {spec} type: ClusterIP',
      'statement {spec} ports:\n    - port: {{ .Values.port }}\n      name: "gate\n      protocol: TCP',
      'statement {{- end }}',
    ]);
  });

  it('are titled by what is declared, with the comments above it', async () => {
    const body = (name: string): string[] => [
      `-- ${name} waits until the water has risen so far that the boat goes over the sill.`,
      `function Lock.${name}(boat, hours)`,
      ...Array.from({ length: 12 }, (_, i) => `  if boat.draught > depth(${i}) then wait(hours * ${i}) end`),
      'end',
      '',
    ];
    assert.deepEqual(await titlesOf('lock.lua', text(...body('enter'), ...body('leave'))), [
      '1-15 function Lock.enter(boat, hours)',
      '17-31 function Lock.leave(boat, hours)',
    ]);
  });

  it('take nothing for words that is never closed, and lists of patterns as they stand', async () => {
    assert.deepEqual(await unitsOf('a.sql', text('/* never closed', 'SELECT 1', '""" a', 'FROM t')), [
      'statement /* never closed',
      'statement SELECT 1',
      'statement """ a',
      'statement FROM t',
    ]);
    assert.deepEqual(await unitsOf('.gitignore', text('/*', '!/src', '**/dist')), [
      'statement !/src',
      'statement **/dist',
    ]);
  });

  it('are read in time that grows with the text, whatever it holds', async () => {
    const deep = Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}if a then`).join('\n');
    const open = '/* a\n<<EOT\n"""\n'.repeat(20_000);
    for (const said of [deep, open]) assert.ok((await passagesOf('a.lua', said)).length > 0);
  });
});
