import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { causeInWords } from '../../../../src/search/domain/file-cause.ts';
import type { SourceFile } from '../../../../src/search/domain/source-file.ts';
import { nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { readAll, reasons, sourceOver } from './reading-harness.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

/** Links and pipes as POSIX has them. */
const posix = process.platform === 'win32' ? describe.skip : describe;

posix('what changes between looking and reading', () => {
  let folder: string;
  let secret: string;
  beforeEach(() => {
    const made = temporaryFolder({
      'workspace/notes.md': '# Ours\n',
      'workspace/sub/deep.md': '# Deep\n',
      'outside/deep.md': '# Secret\n',
      'outside/notes.md': '# Secret\n',
    });
    folder = path.join(made, 'workspace');
    secret = path.join(made, 'outside');
  });

  /** Crawls, changes something, reads the file that was found before. */
  async function readAfter(name: string, change: () => Promise<unknown>): Promise<string> {
    const source = sourceOver([folder]);
    const found: SourceFile[] = [];
    for await (const event of source.crawl()) if (event.type === 'file') found.push(event.file);
    await change();
    const file = found.find((one) => one.path === name) ?? assert.fail(`${name} was not found`);
    const read = await source.read(file);
    source.close();
    return 'reason' in read
      ? `${read.reason}: ${causeInWords(read.why)}`
      : read.passages.map((passage) => passage.text).join('');
  }

  it('a file that is swapped for a link is not followed', async () => {
    const read = await readAfter('notes.md', async () => {
      await rm(path.join(folder, 'notes.md'));
      await symlink(path.join(secret, 'notes.md'), path.join(folder, 'notes.md'));
    });
    assert.match(read, /^unreadable: a link took its place/);
  });

  it('a folder that is swapped for a link out of the workspace is not followed', async () => {
    const read = await readAfter('sub/deep.md', async () => {
      await rename(path.join(folder, 'sub'), path.join(folder, 'was-sub'));
      await symlink(secret, path.join(folder, 'sub'));
    });
    assert.match(read, /^unreadable: a link that leads out of the workspace/);
  });

  it('a pipe in the place of a file is not waited for', async () => {
    const read = await readAfter('notes.md', async () => {
      await rm(path.join(folder, 'notes.md'));
      execFileSync('mkfifo', [path.join(folder, 'notes.md')]);
    });
    assert.match(read, /^unreadable: something that is no file took its place/);
  });

  it('a file that grew is read up to the limit', async () => {
    const source = sourceOver([folder], { maxFileBytes: 1_000 });
    let file: SourceFile | undefined;
    for await (const event of source.crawl()) if (event.type === 'file') file ??= event.file;
    assert.ok(file);
    await writeFile(path.join(folder, file.path), 'x'.repeat(1_001));
    const read = await source.read(file);
    assert.equal('reason' in read && read.reason, 'too-large');
    source.close();
  });

  it('a pipe that is called .gitignore holds nothing up, and a device gives no bytes', async () => {
    execFileSync('mkfifo', [path.join(folder, '.gitignore')]);
    const source = sourceOver([folder]);
    const all = await readAll(source);
    source.close();
    assert.deepEqual(all.files.map((read) => read.file.path).sort(), ['notes.md', 'sub/deep.md']);
    assert.deepEqual(reasons(all), { '.gitignore': 'unsupported' });
    await assert.rejects(nodeFileSystem.read('/dev/zero', { maxBytes: 100 }), { code: 'path-swapped' });
  });

  it('a file of the root that was opened through a link is read', async () => {
    const link = path.join(path.dirname(folder), 'link');
    await symlink(folder, link);
    const source = sourceOver([link]);
    const all = await readAll(source);
    source.close();
    assert.equal(all.files.length, 2);
  });
});

describe('what Hoptrail wrote itself', () => {
  it('is not read: exported threads, and .hoptrailignore', async () => {
    const folder = temporaryFolder({
      'thread.md': '<!-- hoptrail:thread -->\n\n# Who decided?\n\nInes did.\n',
      'sub/front.md': '---\ntitle: x\nhoptrail: thread\n---\n\n# Who decided?\n',
      'about.md': '# About\n\nA file that holds `hoptrail: thread` is an exported one.\n\n<!-- hoptrail:thread -->\n',
      '.hoptrailignore': 'drafts/\n',
    });
    const source = sourceOver([folder]);
    const all = await readAll(source);
    source.close();
    assert.deepEqual(
      all.files.map((read) => read.file.path),
      ['about.md'],
    );
    assert.deepEqual(reasons(all), {
      'thread.md': 'excluded',
      'sub/front.md': 'excluded',
      '.hoptrailignore': 'excluded',
    });
    assert.equal(all.skipped.find((skipped) => skipped.path === 'thread.md')?.why.code, 'exported-thread');
  });
});
