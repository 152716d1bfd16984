import assert from 'node:assert/strict';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, it } from 'mocha';
import { type FileSystem, nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { sourceOver } from './reading-harness.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';
import { settled } from '../../../doubles/waiting.ts';

/**
 * Indexes that git wrote, packed with gzip: of `tracked`; version 3 has flags of its own, and `notes/new.md` (`git add
 * -N`), too; version 4 shortens names.
 */
const indexes = {
  'version 2':
    'H4sIAAAAAAACA3PxDHJmYGBgAmLWbI5fUQLXv7HAaAaGfwwMMxlkGRgalzAgAFPFDEmlRGut3wmqLPrf9rZ3HZzp18ogoZee' +
    'WZJRmqRfnl+UnZaTX16sn5ypV5mbw8AANm//PxMYDTZ3RroTmrkycy5LWt/4F/qD7fi+N9HWEYWdqYbtDFwgczPT8/KLUmEK' +
    'cbhTDt2diRXsM5R6xdfrmvx5cn7v59CwZpUiBqGk0sycFP2U1NQC/ezUghK93BQC5iqgm+t9/mVfCk9TS6CwUBr/joLZXL86' +
    '+hi48vJLUov1Ewmbp4RuXlbmTwWFr/fL1+d1CP8XMvI0bt7OwcAHMQ/sxJz8dJDCf++UvvXZMr+Ws0yr5517LvJqyH4mADH5' +
    'A1fAAQAA',
  'version 3':
    'H4sIAAAAAAACA3PxDHJmYGBgBmK2bI5fUQLXv7HAaAaGfwwMMxlkGRgalzAgAFPFDEmlRGut3wmqLPrf9rZ3HZzp18ogoZee' +
    'WZJRmqRfnl+UnZaTX16sn5ypV5mbw8AANm//PxMYDTZ3RroTmrkycy5LWt/4F/qD7fi+N9HWEYWdqYbtDFwgczPT8/KLUmEK' +
    'cbhTDt2diRXsM5R6xdfrmvx5cn7v59CwZpUiBqGk0sycFP2U1NQC/ezUghK93BQC5iqgm+t9/mVfCk9TS6CwUBr/joLZXL86' +
    '+hy4HBjy8ktSi/UT4SbiME8J3byszJ8KCl/vl6/P6xD+L2Tkady8nYOBD2Ia2Ik5+ekMeAGKeQzP5j6aveniNWfvbs115VE3' +
    'Dj3pCZ7owKMAdV9eajnUhc83HZCTEFL1E3zPqn3u0aaXr21YLgAA6Vit6BACAAA=',
  'version 4':
    'H4sIAAAAAAACA3PxDHJmYGBgAWLWbI5fUQLXv7HAaAaGfwwMMxlkGRgalzAgAFPFDEmlRGut3wmqLPrf9rZ3HZzp18ogwaCX' +
    'nlmSUZqkX55flJ2Wk19erJ+cqVeZm8MANm//PxMYDTZ3RroTmrkycy5LWt/4F/qD7fi+N9HWEYWdqYbtDFwimel5+UWpDDhc' +
    'J4fuusQK9hlKveLrdU3+PDm/93NoWLNKEYMQV1JpZk6KfkpqaoF+dmpBiV5uCi4TFdBN9D7/si+Fp6klUFgojX9HwWyuXx19' +
    'DFxCefklqcX6iXhMUkI3KSvzp4LC1/vl6/M6hP8LGXkaN2/nYOBjATsoJz+d4UNQ2/xMm4qNSwujopfJizcFT2D9BgBlOx+m' +
    'ogEAAA==',
};
const tracked = ['.github/workflows/ci.yml', '.gitignore', 'build/deep/kept.md', 'notes/a.md', 'notes/kept.log'];

describe('what git tracks', () => {
  const repository = (index: Uint8Array, further: Record<string, string> = {}): string =>
    temporaryFolder({
      '.gitignore': '.*\nbuild/\n*.log\n!.gitignore\n',
      '.github/workflows/ci.yml': 'a',
      'build/deep/kept.md': 'a',
      'build/deep/other.md': 'a',
      'notes/a.md': 'a',
      'notes/kept.log': 'a',
      'notes/run.log': 'a',
      '.hidden.md': 'a',
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/index': index,
      ...further,
    });

  async function filesIn(folder: string): Promise<string[]> {
    const files: string[] = [];
    for await (const event of sourceOver([folder]).crawl()) if (event.type === 'file') files.push(event.file.path);
    return files.sort();
  }

  const bytesOf = (packed: string): Buffer => gunzipSync(Buffer.from(packed, 'base64'));

  for (const [version, packed] of Object.entries(indexes))
    it(`is read although .gitignore leaves it out, by an index of ${version}`, async () => {
      const folder = repository(bytesOf(packed));
      assert.deepEqual(await filesIn(folder), tracked);
    });

  it('is left out where a .hoptrailignore says so, inside and below', async () => {
    const folder = repository(bytesOf(indexes['version 2']), {
      '.hoptrailignore': '/build/\n',
      'notes/.gitignore': 'a.md\n',
      'notes/.hoptrailignore': 'kept.log\n',
    });
    assert.deepEqual(await filesIn(folder), [
      '.github/workflows/ci.yml',
      '.gitignore',
      'notes/.gitignore',
      'notes/a.md',
    ]);
  });

  it('is known in a worktree, whose index lies elsewhere', async () => {
    const folder = repository(Buffer.alloc(0));
    const own = path.join(folder, '.git', 'worktrees', 'tree');
    const worktree = path.join(folder, 'tree');
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, 'index'), bytesOf(indexes['version 4']));
    await writeFile(path.join(own, 'commondir'), '../..');
    await mkdir(worktree);
    for (const name of ['.github', 'build', 'notes', '.gitignore'])
      await rename(path.join(folder, name), path.join(worktree, name));
    await writeFile(path.join(worktree, '.git'), `gitdir: ${own}\n`);
    assert.deepEqual(await filesIn(worktree), tracked);
  });

  it('is known of each repository below a folder that is none', async () => {
    const folder = temporaryFolder();
    await rename(repository(bytesOf(indexes['version 2'])), path.join(folder, 'one'));
    assert.deepEqual(
      await filesIn(folder),
      tracked.map((file) => `one/${file}`),
    );
    const uri = pathToFileURL(path.join(folder, 'one', 'notes', 'kept.log')).href;
    assert.equal((await sourceOver([folder]).stat(uri))?.type, 'file');
  });

  it('is not known from an index that is cut short, of another format or empty', async () => {
    const whole = bytesOf(indexes['version 2']);
    const later = Buffer.from(whole);
    later.writeUInt32BE(9, 4);
    const backwards = bytesOf(indexes['version 4']);
    backwards[12 + 62] = 0x7f; // cuts more of a name than there is
    for (const index of [Buffer.alloc(0), whole.subarray(0, 200), later, Buffer.from('DIRC'), backwards])
      assert.deepEqual(await filesIn(repository(index)), ['.gitignore', 'notes/a.md']);
  });

  it('is looked up again when the index has changed', async () => {
    const folder = repository(Buffer.alloc(0));
    const source = sourceOver([folder]);
    const uri = new URL(`file://${folder}/notes/kept.log`).href;
    assert.equal((await source.stat(uri))?.type, 'skipped');
    await writeFile(path.join(folder, '.git', 'index'), bytesOf(indexes['version 2']));
    assert.equal((await source.stat(uri))?.type, 'file');
  });

  it('is looked up again where it could not be read just now, and not where its bytes are to blame', async () => {
    let reads = 0;
    const failing = (error: NodeJS.ErrnoException | undefined): FileSystem => ({
      ...nodeFileSystem,
      read: async (file, options) => {
        if (!file.endsWith('index')) return nodeFileSystem.read(file, options);
        reads += 1;
        if (error && reads === 1) throw error;
        return nodeFileSystem.read(file, options);
      },
    });
    for (const [index, error, then, all] of [
      [bytesOf(indexes['version 2']), Object.assign(new Error('too many open files'), { code: 'EMFILE' }), 'file', 2],
      [bytesOf(indexes['version 2']).subarray(0, 200), undefined, 'skipped', 1],
    ] as const) {
      reads = 0;
      const folder = await repository(index);
      const source = sourceOver([folder], {}, { files: failing(error) });
      const uri = pathToFileURL(path.join(folder, 'notes', 'kept.log')).href;
      assert.equal((await source.stat(uri))?.type, 'skipped');
      assert.equal((await source.stat(uri))?.type, then);
      assert.equal(reads, all);
      source.close();
    }
  });

  it('is known to all who ask while it is read', async () => {
    const folder = repository(bytesOf(indexes['version 2']));
    const files: FileSystem = {
      ...nodeFileSystem,
      read: async (file, options) => {
        await settled();
        return nodeFileSystem.read(file, options);
      },
    };
    const source = sourceOver([folder], {}, { files });
    const kept = ['build/deep/kept.md', 'notes/kept.log', '.github/workflows/ci.yml'];
    const found = await Promise.all(kept.map((name) => source.stat(pathToFileURL(path.join(folder, name)).href)));
    source.close();
    assert.deepEqual(
      found.map((event) => event?.type),
      ['file', 'file', 'file'],
    );
  });
});
