import assert from 'node:assert/strict';
import { rename, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'mocha';
import type { WalkEvent } from '../../../../src/search/reading/crawl/crawler.ts';
import { IgnoreRules, rulesInside } from '../../../../src/search/reading/crawl/ignore-rules.ts';
import { nodeFileSystem } from '../../../../src/search/reading/file-system.ts';
import { sourceOver } from './reading-harness.ts';
import { temporaryFolder } from '../../../doubles/temporary-folder.ts';

type Options = Parameters<typeof sourceOver>[1];

/** Files that hold something. */
const some = (paths: string): Record<string, string> => Object.fromEntries(paths.split(' ').map((one) => [one, 'x']));

describe('crawl', () => {
  async function crawl(
    folders: string[],
    options?: Options,
    deps?: Parameters<typeof sourceOver>[2],
    below?: string,
  ): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for await (const event of sourceOver(folders, options, deps).crawl(undefined, below))
      found[nameOf(event)] = event.type === 'file' ? 'file' : event.skipped.reason;
    return found;
  }

  it('honours nested ignore files, the innermost speaking last', async () => {
    const folder = temporaryFolder({
      '.gitignore': '*.log\n/build/\n',
      'keep/.gitignore': '!special.log\n',
      '.hoptrailignore': 'drafts/\n!kept.env\n',
      '.git/info/exclude': 'mine.md\n',
      ...some(
        'a.log keep/special.log keep/other.log build/out.txt src/build/in.txt drafts/a.md a.md mine.md .git/HEAD',
      ),
    });
    assert.deepEqual(await crawl([folder]), {
      '.git': 'excluded',
      '.gitignore': 'file',
      '.hoptrailignore': 'excluded',
      'a.log': 'ignored',
      'a.md': 'file',
      build: 'ignored',
      drafts: 'ignored',
      'mine.md': 'ignored',
      'keep/.gitignore': 'file',
      'keep/other.log': 'ignored',
      'keep/special.log': 'file',
      'src/build/in.txt': 'file',
    });
  });

  it('reads what is in a folder that a stronger file lets in again, but for what a pattern names itself', async () => {
    const folder = temporaryFolder({
      '.gitignore': 'vendor/\n/docs/*\nnotes/\n*.tmp\n',
      'a/.gitignore': '!vendor\n',
      'docs/.gitignore': '!*/\n',
      '.hoptrailignore': '!notes/\n',
      ...some(
        'a/vendor/f.md a/vendor/deep/f.md a/vendor/f.tmp b/vendor/f.md docs/a.md docs/in/a.md notes/a.md notes/in/a.md',
      ),
    });
    const found = await crawl([folder]);
    const read = Object.keys(found).filter((name) => found[name] === 'file' && /^[a-z]/.test(name));
    const kept = ['a/vendor/deep/f.md', 'a/vendor/f.md', 'docs/in/a.md', 'notes/a.md', 'notes/in/a.md'];
    assert.deepEqual(read.filter((name) => !name.endsWith('ignore')).sort(), kept);
    const stat = async (name: string) =>
      (await sourceOver([folder]).stat(pathToFileURL(path.join(folder, name)).href))?.type;
    assert.deepEqual(await Promise.all([...kept, 'b/vendor/f.md'].map(stat)), [...kept.map(() => 'file'), 'skipped']);
  });

  it('leaves ignore files of git aside when told to, its own never', async () => {
    const folder = temporaryFolder({ '.gitignore': 'a.md\n', '.hoptrailignore': 'b.md\n', 'a.md': 'x', 'b.md': 'x' });
    const found = await crawl([folder], { useGitignore: false });
    assert.equal(found['a.md'], 'file');
    assert.equal(found['b.md'], 'ignored');
  });

  it("honours git's global excludes and the rules between the repository's top and the root", async () => {
    const home = temporaryFolder({
      '.gitconfig': '[user]\n\tname = x\n[core]\n\texcludesfile = ~/my-excludes\n',
      'my-excludes': '*.scratch\n',
    });
    const repository = temporaryFolder({
      '.git/config': '[core]\n',
      '.gitignore': 'tmp-*\n',
      'inner/.gitignore': 'local.md\n',
      ...some('inner/root/a.scratch inner/root/tmp-1.md inner/root/local.md inner/root/b.md'),
    });
    const found = await crawl([path.join(repository, 'inner/root')], {}, { gitHome: { home } });
    assert.deepEqual(found, { 'a.scratch': 'ignored', 'b.md': 'file', 'local.md': 'ignored', 'tmp-1.md': 'ignored' });
    const fallback = temporaryFolder({ '.config/git/ignore': '*.scratch\n' });
    assert.equal(
      (await crawl([path.join(repository, 'inner/root')], {}, { gitHome: { home: fallback } }))['a.scratch'],
      'ignored',
    );
  });

  it('reads a folder that was opened although rules from above leave it out, and says whose rules those are', async () => {
    const repository = temporaryFolder({
      '.git/config': '[core]\n',
      '.gitignore': 'data/\n',
      'data/.gitignore': '*.log\n',
      'data/notes/.gitignore': 'mine.md\n',
      ...some('data/notes/a.md data/notes/a.log data/notes/mine.md'),
    });
    const notes = path.join(repository, 'data/notes');
    const ignoreFile = path.join(repository, '.gitignore');
    assert.deepEqual(await crawl([notes]), {
      [ignoreFile]: 'ignored',
      '.gitignore': 'file',
      'a.log': 'ignored',
      'a.md': 'file',
      'mine.md': 'ignored',
    });
    const source = sourceOver([notes]);
    assert.equal((await source.stat(pathToFileURL(path.join(notes, 'a.md')).href))?.type, 'file');
    assert.equal((await crawl([repository])).data, 'ignored', 'below the folder that was opened they hold');

    const home = temporaryFolder({ '.git/info/exclude': '*\n', 'notes/deep/a.md': 'x' });
    assert.deepEqual(await crawl([path.join(home, 'notes')]), {
      [path.join(home, '.git/info/exclude')]: 'ignored',
      'deep/a.md': 'file',
    });
    const rules = { '.git/config': '', '.gitignore': '*\n', 'kept/.gitignore': '!*\n' };
    const dotfiles = temporaryFolder({ ...rules, ...some('notes/a.md kept/a.md') });
    assert.equal((await crawl([path.join(dotfiles, 'notes')]))['a.md'], 'file');
    const global = temporaryFolder({ '.config/git/ignore': 'vault\n*.tmp\n' });
    const vault = temporaryFolder({ '.git/config': '', 'vault/a.md': 'x', 'a.tmp': 'x' });
    assert.equal((await crawl([path.join(vault, 'vault')], {}, { gitHome: { home: global } }))['a.md'], 'file');
    assert.deepEqual(await crawl([vault], {}, { gitHome: { home: global } }), {
      '.git': 'excluded',
      vault: 'ignored',
      'a.tmp': 'ignored',
    });
  });

  it('says of a root that cannot be listed, and of what may not be looked at, that nothing is known of it', async () => {
    const folder = temporaryFolder({ 'locked/a.md': 'x', 'gone/b.md': 'x', 'c.md': 'x' });
    const failing = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
    const files = {
      ...nodeFileSystem,
      list: (at: string) =>
        at.endsWith('locked') ? failing('EMFILE') : at.endsWith('gone') ? failing('ENOENT') : nodeFileSystem.list(at),
    };
    const unseen = async (root: string, below?: string): Promise<[string, string | undefined][]> => {
      const found: [string, string | undefined][] = [];
      const start = below === undefined ? undefined : pathToFileURL(path.join(root, below)).href;
      for await (const event of sourceOver([root], {}, { files }).crawl(undefined, start))
        if (event.type === 'skipped' && event.unseen) found.push([event.unseen.uri, event.unseen.error?.message]);
      return found;
    };
    assert.deepEqual(await unseen(folder), [[pathToFileURL(path.join(folder, 'locked')).href, undefined]]);
    const missing = path.join(folder, 'nowhere');
    const told: [string, string][] = [
      [
        pathToFileURL(missing).href,
        `The folder ${missing} cannot be read: no such folder is there. What the index knows of it was kept.`,
      ],
    ];
    assert.deepEqual(await unseen(missing), told);
    assert.deepEqual(await unseen(missing, 'some/a.md'), told);
    assert.deepEqual(await unseen(folder, 'gone/b.md'), []);
  });

  it('leaves out what the settings exclude, and what nobody wants', async () => {
    const folder = temporaryFolder({
      ...some('out/a.js src/out/a.js src/a.generated.ts src/a.ts node_modules/p/index.js logo.png server.pem .env'),
      'package-lock.json': '{}',
      '.env.example': 'SECRET=',
      'empty.md': '',
    });
    assert.deepEqual(await crawl([folder], { excludeGlobs: ['**/out', '**/*.generated.ts'] }), {
      '.env': 'excluded',
      '.env.example': 'file',
      'empty.md': 'empty',
      'logo.png': 'binary',
      node_modules: 'excluded',
      out: 'excluded',
      'package-lock.json': 'generated',
      'server.pem': 'excluded',
      'src/a.generated.ts': 'excluded',
      'src/a.ts': 'file',
      'src/out': 'excluded',
    });
    const kept = temporaryFolder({ '.hoptrailignore': '!node_modules/\n', 'node_modules/p/index.js': 'x' });
    assert.equal((await crawl([kept]))['node_modules/p/index.js'], 'file');
  });

  const secret = `templates/.env.local examples/prod.env ci/secrets.yaml db/terraform.tfvars
    .env .env.production .env.example.local prod.env .netrc .pgpass .npmrc .git-credentials .htpasswd .s3cfg .boto .dockercfg
    .vault-token kubeconfig prod.kubeconfig terraform.tfstate terraform.tfstate.backup terraform.tfvars
    prod.auto.tfvars prod.tfvars.json secrets.yaml deploy/secrets.yml Secrets.json .streamlit/secrets.toml
    credentials.json service-account.json our-service-account-1.json serviceaccount.json gcp_service_account.json
    client_secret_7.json login.ppk example.pem .aws/credentials .docker/config.json .kube/config .cargo/credentials.toml
    .ssh/id_rsa .ssh/id_ed25519_sk .ssh/deploy .ssh/work/box.txt`.split(/\s+/);
  const kept =
    `.env.example .env.local.example example.env sample.env prod.sample.env example.tfvars terraform.tfvars.example
    secrets.md secrets.py secrets.example.yaml chart/templates/secrets.yaml locales/en/credentials.json
    examples/terraform.tfvars create-service-account-request.json secrets/readme.md credentials credentials.ts credentials.md
    service-account.ts service-account.md service-account.example.json serviceaccount.yaml client_secret.md kubeconfig.md
    kubeconfig.go config.json docker/config.json kube/config environment.md env terraform.tf tfstate.md .ssh/config
    .ssh/id_rsa.pub .ssh/known_hosts .aws/config .docker/readme.md ssh/deploy keys.asc`.split(/\s+/);
  const asFiles = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, 'x']));
  const allAs = (names: readonly string[], reason: string): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, reason]));

  it('leaves out trash, earlier versions and copies of conflicts, unless a .hoptrailignore names one', async () => {
    const folder = temporaryFolder({
      '.hoptrailignore': '!old (conflicted copy).md\n!.trash/\n',
      '.git': 'gitdir: /elsewhere/.git/worktrees/a\n',
      '.trash/kept.md': 'x',
      '.Trash-1000/files/a.md': 'x',
      '.stversions/a~20260504-101500.md': 'x',
      'a.md': 'x',
      "a (Ada's conflicted copy 2026-05-04).md": 'x',
      'a.sync-conflict-20260504-101500-ABCDEFG.md': 'x',
      'a.md~': 'x',
      '.a.md.swp': 'x',
      'old (conflicted copy).md': 'x',
      'conflicts.md': 'x',
    });
    assert.deepEqual(await crawl([folder]), {
      '.git': 'excluded',
      '.hoptrailignore': 'excluded',
      '.trash/kept.md': 'file',
      '.Trash-1000': 'excluded',
      '.stversions': 'excluded',
      'a.md': 'file',
      "a (Ada's conflicted copy 2026-05-04).md": 'excluded',
      'a.sync-conflict-20260504-101500-ABCDEFG.md': 'excluded',
      'a.md~': 'excluded',
      '.a.md.swp': 'excluded',
      'old (conflicted copy).md': 'file',
      'conflicts.md': 'file',
    });
  });

  it('tells an edit that keeps size and modification time', async () => {
    const folder = temporaryFolder({ 'north.md': 'code 4711', 'south.md': 'code 0815' });
    const at = (name: string): string => path.join(folder, name);
    const time = new Date('2020-01-01');
    const stampOf = async (name: string): Promise<string | undefined> => {
      const event = await sourceOver([folder]).stat(pathToFileURL(at(name)).href);
      assert.ok(event?.type === 'file' && event.file.mtimeMs === time.getTime() && event.file.size === 9);
      return event.file.stamp;
    };
    for (const name of ['north.md', 'south.md']) await utimes(at(name), time, time);
    const before = await stampOf('north.md');
    await rename(at('north.md'), at('t.md'));
    await rename(at('south.md'), at('north.md'));
    const swapped = await stampOf('north.md');
    assert.notEqual(swapped, before);
    await writeFile(at('north.md'), 'code 9999');
    await utimes(at('north.md'), time, time);
    assert.notEqual(await stampOf('north.md'), swapped);
  });

  it('leaves out what may hold secrets, and no text or program about them', async () => {
    const folder = temporaryFolder(asFiles([...secret, ...kept, '.gnupg/notes.md']));
    assert.deepEqual(await crawl([folder]), {
      ...allAs(secret, 'excluded'),
      ...allAs(kept, 'file'),
      '.gnupg': 'excluded',
    });
  });

  it('knows the folder of a secret also where that is the root', async () => {
    const folder = temporaryFolder(asFiles(['.aws/credentials', '.ssh/deploy', '.ssh/config']));
    assert.deepEqual(await crawl([path.join(folder, '.aws')]), { credentials: 'excluded' });
    assert.deepEqual(await crawl([path.join(folder, '.ssh')]), { config: 'file', deploy: 'excluded' });
  });

  it('takes what may hold secrets in where a .hoptrailignore names it', async () => {
    for (const name of secret) {
      const folder = temporaryFolder({ ...asFiles([name]), '.hoptrailignore': `!${path.basename(name)}\n` });
      assert.equal((await crawl([folder]))[name], 'file', name);
      const byPath = temporaryFolder({ ...asFiles([name]), '.hoptrailignore': `!/${name}\n` });
      assert.equal((await crawl([byPath]))[name], 'file', name);
    }
    const folder = temporaryFolder({ '.gnupg/notes.md': 'x', '.hoptrailignore': '!.gnupg/\n' });
    assert.equal((await crawl([folder]))['.gnupg/notes.md'], 'file');
  });

  it('walks several roots under their names, an inner root as its own', async () => {
    const outer = temporaryFolder({ 'a.md': 'x', 'inner/b.md': 'x' });
    const other = temporaryFolder({ 'c.md': 'x' });
    const found = await crawl([outer, path.join(outer, 'inner'), other]);
    assert.deepEqual(Object.keys(found), [
      `${path.basename(outer)}/a.md`,
      'inner/b.md',
      `${path.basename(other)}/c.md`,
    ]);
  });

  it('names the file of rules at the top of one of several roots', async () => {
    const outer = temporaryFolder({ '.hoptrailignore': 'drafts/\n', 'drafts/a.md': 'x' });
    const rules = await rulesInside(outer, 'docs/', new IgnoreRules(), undefined, true, nodeFileSystem);
    assert.equal(rules.judge(path.join(outer, 'drafts'), true)?.name, 'docs/.hoptrailignore');
  });

  it('tells equal names apart', async () => {
    const a = temporaryFolder({ 'docs/a.md': 'x' });
    const b = temporaryFolder({ 'docs/b.md': 'x' });
    assert.deepEqual(Object.keys(await crawl([path.join(a, 'docs'), path.join(b, 'docs')])), [
      'docs/a.md',
      'docs-2/b.md',
    ]);
  });

  it('follows no link, neither out of the root nor in circles', async () => {
    const outside = temporaryFolder({ 'secret.md': 'x' });
    const folder = temporaryFolder({ 'src/a.md': 'x' });
    await symlink(outside, path.join(folder, 'escape'));
    await symlink(path.join(outside, 'secret.md'), path.join(folder, 'escape.md'));
    await symlink(folder, path.join(folder, 'src/up'));
    await symlink('self', path.join(folder, 'self'));
    await symlink('src', path.join(folder, 'twin'));
    await symlink('nowhere', path.join(folder, 'dangling'));
    assert.deepEqual(await crawl([folder]), {
      dangling: 'vanished',
      escape: 'link-outside',
      'escape.md': 'link-outside',
      self: 'link-cycle',
      twin: 'link-cycle',
      'src/a.md': 'file',
      'src/up': 'link-cycle',
    });
  });

  it('survives a folder that vanishes and places that may not be read', async () => {
    const folder = temporaryFolder({ 'gone/a.md': 'x', 'locked/b.md': 'x', 'c.md': 'x', 'd.md': 'x', 'e.md': 'x' });
    const failing = (code: string): Error => Object.assign(new Error(code), { code });
    const files = {
      ...nodeFileSystem,
      list: async (at: string) => {
        if (at.endsWith('gone')) throw failing('ENOENT');
        if (at.endsWith('locked')) throw failing('EACCES');
        return nodeFileSystem.list(at);
      },
      stat: async (at: string) => {
        if (at.endsWith('d.md')) throw failing('ENOENT');
        if (at.endsWith('e.md')) throw failing('EIO');
        return nodeFileSystem.stat(at);
      },
    };
    assert.deepEqual(await crawl([folder], {}, { files }), {
      'c.md': 'file',
      'd.md': 'vanished',
      'e.md': 'unreadable',
      gone: 'vanished',
      locked: 'unreadable',
    });
  });

  it('says of one path what the whole walk would say', async () => {
    const folder = temporaryFolder({
      '.gitignore': 'dist/\n*.tmp\n',
      'dist/a.js': 'x',
      'src/a.ts': 'x',
      'src/b.tmp': 'x',
      'src/ü #%?.md': 'x',
      'node_modules/a/b.js': 'x',
    });
    const source = sourceOver([folder]);
    const at = async (name: string): Promise<string | undefined> => {
      const event = await source.stat(pathToFileURL(path.join(folder, name)).href);
      return event && (event.type === 'file' ? event.file.path : event.skipped.reason);
    };
    assert.equal(await at('src/a.ts'), 'src/a.ts');
    assert.equal(await at('src/ü #%?.md'), 'src/ü #%?.md');
    assert.equal(await at('src/b.tmp'), 'ignored');
    assert.equal(await at('dist/a.js'), 'ignored');
    assert.equal(await at('node_modules/a/b.js'), 'excluded');
    assert.equal(await at('src/missing.ts'), undefined);
    assert.equal(await at('src'), undefined);
    assert.equal(await at('../elsewhere.md'), undefined);
  });

  it('walks the part below one folder with the rules from above', async () => {
    const folder = temporaryFolder({
      '.gitignore': '*.tmp\nignored/\n',
      'a.md': 'x',
      'src/b.md': 'x',
      'src/c.tmp': 'x',
      'src/deep/d.md': 'x',
      'ignored/e.md': 'x',
    });
    const below = (name: string): Promise<Record<string, string>> =>
      crawl([folder], {}, {}, pathToFileURL(path.join(folder, name)).href);
    assert.deepEqual(await below('src'), { 'src/b.md': 'file', 'src/c.tmp': 'ignored', 'src/deep/d.md': 'file' });
    assert.deepEqual(await below('ignored'), { ignored: 'ignored' });
  });

  it('stops when aborted', async () => {
    const folder = temporaryFolder({ 'a.md': 'x', 'b/c.md': 'x' });
    const controller = new AbortController();
    await assert.rejects(
      async () => {
        for await (const _event of sourceOver([folder]).crawl(controller.signal)) controller.abort();
      },
      { name: 'AbortError' },
    );
  });
});

const nameOf = (event: WalkEvent): string => (event.type === 'file' ? event.file.path : event.skipped.path);
