import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Passage } from '../../../../src/search/domain/passage.ts';
import { LinkResolver } from '../../../../src/search/reading/resolve-links.ts';
import { fixturesFolder, readAll, sourceOver } from './reading-harness.ts';

const goldenFolder = path.join(import.meta.dirname, 'golden');

/** Passages in a form that a person can check against the fixture. */
function written(passage: Passage): string {
  const links = passage.links.map((link) => {
    const via = link.via ? ` via ${link.via}` : '';
    const lead = link.path ? ` -> ${link.path}${link.anchor ? `#${link.anchor}` : ''}` : '';
    return `  ${link.line} ${link.kind} ${link.target}${via}${lead}`;
  });
  const page = passage.page === undefined ? '' : ` page ${passage.page}`;
  return [`${passage.startLine}-${passage.endLine}${page} ${passage.kind} «${passage.title}»`, ...links].join('\n');
}

/** With HOPTRAIL_GOLDEN=write the files are written anew; read them before they are committed. */
describe('titles, lines and links of the fixtures are exactly', () => {
  const files = new Map<string, Passage[]>();
  const source = sourceOver([fixturesFolder]);
  before(async () => {
    const all = await readAll(source);
    const resolver = new LinkResolver(all.files.map((read) => read.file.path));
    for (const read of all.files) files.set(read.file.path, resolver.resolve(read.passages));
  });
  after(() => source.close());

  const names = `
    web/store.ts web/QuayView.tsx web/berth-row.jsx ops/format-hours.js harbour/berth.py service/ferry/ferry.go
    engine/src/lib.rs gate/src/main/java/port/gate/LockGate.java native/depth.c native/sonar.cpp
    native/sonar.hpp desk/Invoice.cs ops/signal.rb desk/Guestbook.php ops/backup.sh phone/Pilot.kt
    phone/TideView.swift ops/schema.sql notes/rules.md notes/log.txt notes/lock.rst notes/wharf.adoc
    web/quays.mdx notes/buoy.1 notes/tides.mdoc web/help.html data/berths.json data/settings.jsonc
    data/signals.yaml data/office.toml data/tariffs.csv data/tides.tsv data/tides.ipynb documents/handbook.pdf
    documents/ferry-contract.docx documents/windows.md
  `;
  for (const name of names.trim().split(/\s+/)) {
    it(`those written down for ${name}`, () => {
      const golden = path.join(goldenFolder, `${name.replaceAll('/', '_')}.txt`);
      const found = `${(files.get(name) ?? assert.fail(`${name} was not read`)).map(written).join('\n')}\n`;
      if (process.env.HOPTRAIL_GOLDEN === 'write') {
        mkdirSync(goldenFolder, { recursive: true });
        writeFileSync(golden, found);
      }
      assert.ok(existsSync(golden), `${golden} is missing`);
      assert.equal(found, readFileSync(golden, 'utf8'));
    });
  }
});
