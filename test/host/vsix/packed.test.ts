import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { after, afterEach, before, describe, it } from 'mocha';
import { demoQuestion } from '../../../scripts/demo-question.ts';
import { VscodeHost } from '../../../scripts/vscode-host/host.ts';
import { repositoryRoot } from '../../../scripts/vscode-host/locations.ts';
import { temporaryFolder } from '../../doubles/temporary-folder.ts';
import { HoptrailPanel } from '../ui/hoptrail-panel.ts';
import { noteFailure } from '../ui/notes-window.ts';
import { copyExample } from '../ui/workspace-copy.ts';

/** Runs `npm run package`'s program and returns the file that it made. */
function makePackage(): string {
  execFileSync(process.execPath, ['--import', 'tsx', path.join(repositoryRoot, 'scripts', 'package.mjs')], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { version } = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  return path.join(repositoryRoot, `hoptrail-${process.platform}-${process.arch}-${version}.vsix`);
}

describe('the package that ships', () => {
  let file: string;
  let host: VscodeHost;
  let panel: HoptrailPanel;

  before(async () => {
    file = makePackage();
    host = await VscodeHost.open({ vsix: [file], folders: [copyExample('notes')] });
    panel = await HoptrailPanel.open(await host.openWindow());
  });
  afterEach(async function () {
    await noteFailure(this.currentTest, host);
  });
  after(() => host.close());

  it('holds what runs, and no experiments', () => {
    const names: string[] = [];
    unzipSync(readFileSync(file), {
      filter: ({ name }) => {
        names.push(name);
        return false;
      },
    });
    for (const needed of [
      'dist/extension.cjs',
      'dist/cli.cjs',
      'dist/process-guard.cjs',
      'dist/model-thread.cjs',
      'models/reader.json',
      'skills/hoptrail/SKILL.md',
      'models/Xenova/bge-small-en-v1.5/question-map.json',
      'models/joint-encoder/onnx/model_quantized.onnx',
    ]) {
      assert.ok(names.includes(`extension/${needed}`), `${needed} is missing`);
    }
    assert.deepEqual(
      names.filter((name) => /(?:^|\/)lab(?:\/|\.cjs)|\.map$|\.test\.|\.ts$/.test(name)),
      [],
    );
  });

  it('has bundles in which no file of the lab, the tests or the scripts is', () => {
    const folder = temporaryFolder();
    const inputs = path.join(folder, 'inputs.json');
    execFileSync(
      process.execPath,
      [path.join(repositoryRoot, 'esbuild.mjs'), '--production', '--outdir', folder, '--inputs', inputs],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const bundles = JSON.parse(readFileSync(inputs, 'utf8')) as Record<string, string[]>;
    const isForeign = (name: string): boolean => /^(?:lab|test|scripts)\//.test(name);
    const holding = Object.keys(bundles).filter((bundle) => bundles[bundle]?.some(isForeign));
    assert.deepEqual(holding, ['lab.cjs'], 'only the bundle that does not ship has some');
    assert.ok(bundles['extension.cjs']?.includes('src/vscode/extension.ts'));
  });

  it('is what is installed, and indexes the folder with its own native parts and model', async () => {
    await panel.waitForIndex();
    assert.equal(
      await panel.workbench.page
        .locator('.notification-list-item')
        .filter({ has: panel.workbench.page.locator('.codicon-error, .codicon-warning') })
        .filter({ hasText: 'Hoptrail' })
        .count(),
      0,
    );
  });

  it('answers rightly, with a trail through several files', async () => {
    await panel.ask(demoQuestion);
    assert.match(await panel.answer.innerText(), /\b461\b/);
    assert.equal(await panel.answer.locator('.abstain-title').count(), 0, await panel.turn.innerText());
    const files = await panel.hops.locator('.base').allInnerTexts();
    assert.ok(new Set(files).size >= 2, `hops: ${files.join(', ')}`);
  });
});
