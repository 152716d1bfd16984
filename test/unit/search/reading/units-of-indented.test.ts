import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { passagesOf, unitsOf } from './units-harness.ts';

const text = (...lines: string[]): string => lines.join('\n');
const titlesOf = async (path: string, said: string): Promise<string[]> =>
  (await passagesOf(path, said)).map(({ startLine, endLine, title }) => `${startLine}-${endLine} ${title}`);

describe('units of a text without a grammar', () => {
  it('of go.mod are its lines, each below what it belongs to', async () => {
    const gates = Array.from({ length: 9 }, (_, i) => `example.org/gate${i} v1.${i}.0`);
    const required = gates.map((gate) => `\t${gate}`);
    const said = text('module example.org/lock', '', 'go 1.23.0', '', 'require (', ...required, ')');
    assert.deepEqual(await unitsOf('go.mod', said), [
      'statement module example.org/lock',
      'statement go 1.23.0',
      'statement require (',
      ...gates.map((gate) => `statement {require} ${gate}`),
    ]);
  });

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
      `comment {${about} › def call(ferry)} # A ferry that sank is not called.`,
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

  it('take the signs of a language for what they are in it', async () => {
    const sql = text(
      'CREATE TABLE a (',
      "  note text DEFAULT ''''",
      ');',
      'CREATE TABLE b (',
      '  id int',
      ');',
      "-- quotes: '''",
    );
    assert.deepEqual(await unitsOf('a.sql', sql), [
      "statement CREATE TABLE a (\n  note text DEFAULT ''''\n);",
      'statement CREATE TABLE b (\n  id int\n);',
      "comment -- quotes: '''",
    ]);
    assert.deepEqual(
      await unitsOf('a.cr', text('def add(item)', '  @items << item', '  @size += 1', '  horn', '  item')),
      [
        'signature def add(item)',
        'statement {def add(item)} @items << item',
        'statement {def add(item)} @size += 1',
        'statement {def add(item)} horn',
        'statement {def add(item)} item',
      ],
    );
    const erlang = text(
      'depth(Any) ->',
      '  #{depth => Any, unit => metre}.',
      '',
      '%% Opens.',
      'open(Gate) ->',
      '  go(Gate).',
    );
    assert.deepEqual(await unitsOf('lock.erl', erlang), [
      'statement depth(Any) ->\n  #{depth => Any, unit => metre}.',
      'comment {open(Gate) ->} %% Opens.',
      'statement open(Gate) ->\n  go(Gate).',
    ]);
    assert.deepEqual(await unitsOf('a.css', text('#main a {', '  color: red;', '}', '// no comment')), [
      'statement #main a {\n  color: red;\n}',
      'statement // no comment',
    ]);
    const make = text(
      '# Where it lies; change it',
      '# if you need, or',
      '# include others.',
      'CACHE = 3',
      '#TODO: raise',
      'SIZE = 4',
    );
    assert.deepEqual(await unitsOf('Makefile', make), [
      'comment {CACHE = 3} # Where it lies; change it\n# if you need, or\n# include others.',
      'constant CACHE = 3',
      'comment {SIZE = 4} #TODO: raise',
      'constant SIZE = 4',
    ]);
  });

  it('of Perl are the paragraphs of its pages, below their headings', async () => {
    const perl = text(
      'package Job;',
      '',
      '=head2 retry',
      '',
      'A job is tried again. This',
      'method waits.',
      '',
      '=over 4',
      '',
      '=item delay',
      '',
      'In seconds.',
      '',
      '=back',
      '',
      '=cut',
      '',
      'sub retry {',
      '  my ($self, $delay) = @_;',
      '  sleep $delay;',
      '  run($self);',
      '  log($self);',
      '}',
    );
    assert.deepEqual((await unitsOf('Job.pm', perl)).slice(0, 4), [
      'import package Job;',
      'comment {retry} A job is tried again. This\nmethod waits.',
      'comment {delay} In seconds.',
      'signature sub retry {',
    ]);
  });

  it('go on where a line does, and open nothing behind what has ended', async () => {
    const docker = text(
      'RUN apt-get update; \\',
      '  apt-get install \\',
      '# the tests need it',
      '    tzdata \\',
      '    curl \\',
      '  ; \\',
      '  rm -rf /lists',
    );
    assert.deepEqual(await unitsOf('Dockerfile', docker), [
      'statement RUN apt-get update; \\',
      'statement {RUN apt-get update} apt-get install \\',
      'comment {RUN apt-get update › apt-get install} # the tests need it',
      'statement {RUN apt-get update › apt-get install} tzdata \\',
      'statement {RUN apt-get update › apt-get install} curl \\',
      'statement {RUN apt-get update} rm -rf /lists',
    ]);
    const elixir = text(
      'def init(opts) do',
      '  status =',
      '    if opts[:raise] do',
      '      :raise',
      '    end',
      '',
      '  %{',
      '    at: "/"',
      '  }',
      'end',
    );
    assert.ok((await unitsOf('a.ex', elixir)).includes('default {def init(opts)} at: "/"'));
    const scala = text(
      'object Move {',
      '  def matching(replaces: Boolean = false,',
      '               atomic: Boolean = false)',
      '              : Int = {',
      '    1',
      '  }',
      '}',
    );
    const atomic = 'default {object Move › def matching} atomic: Boolean = false)';
    assert.ok((await unitsOf('a.scala', scala)).some((unit) => unit.replace('statement', 'default') === atomic));
    const plpgsql = text(
      'CREATE FUNCTION plan(n int)',
      'RETURNS text AS $$',
      'BEGIN',
      '  RETURN n;',
      'END;',
      '$$ LANGUAGE plpgsql;',
      '',
      'CREATE VIEW v AS SELECT 1;',
    );
    assert.deepEqual(await unitsOf('a.sql', plpgsql), [
      'signature CREATE FUNCTION plan(n int)',
      'statement {CREATE FUNCTION plan(n int)} RETURNS text AS $$',
      'statement {CREATE FUNCTION plan(n int)} BEGIN\n  RETURN n;',
      'statement {CREATE FUNCTION plan(n int)} END;',
      'statement {CREATE FUNCTION plan(n int)} $$ LANGUAGE plpgsql;',
      'statement CREATE VIEW v AS SELECT 1;',
    ]);
  });

  it('are read in time that grows with the text, whatever it holds', async () => {
    const deep = Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}if a then`).join('\n');
    const open = '/* a\n<<EOT\n"""\n'.repeat(20_000);
    const tags = Array.from({ length: 20_000 }, (_, i) => `a = <<EOT${i}`).join('\n');
    const same = 'a = <<EOT\nwords\nEOT\n'.repeat(20_000);
    for (const said of [deep, open, tags, same]) assert.ok((await passagesOf('a.pl', said)).length > 0);
  });
});
