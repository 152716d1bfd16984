import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { filesBelow, readRepository } from '../../doubles/repository-files.ts';

const manifest = JSON.parse(readRepository('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'scripts',
  Record<string, string>
>;

/** Every program and style sheet under these folders, as one text. */
function programs(folders: readonly string[]): string {
  const files = filesBelow(...folders).filter((name) => /\.(?:ts|mjs|css)$/.test(name));
  return [...files, 'esbuild.mjs'].map(readRepository).join('\n');
}

/** Written as an import, or as a path below node_modules. */
const isUsedIn = (text: string, name: string): boolean =>
  [`'${name}'`, `'${name}/`, `node_modules/${name}/`].some((form) => text.includes(form));

describe('package.json', () => {
  it('names one version of each dependency', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.deepEqual(
      versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
      [],
    );
  });

  it('names no dependency that the product does not use', () => {
    const text = programs(['src', 'webview']);
    assert.deepEqual(
      Object.keys(manifest.dependencies).filter((name) => !isUsedIn(text, name)),
      [],
    );
  });

  it('names no development dependency that nothing uses', () => {
    const text = programs(['src', 'webview', 'scripts', 'test', 'lab']);
    const commands = Object.values(manifest.scripts)
      .join('\n')
      .replace(/\btsc\b/, 'typescript');
    // Types belong to the package that they describe; these describe what the platform provides.
    const platform = ['node', 'vscode', 'vscode-webview'];
    const names = Object.keys(manifest.devDependencies)
      .map((name) => name.replace(/^@types\//, ''))
      .filter((name) => !platform.includes(name));
    assert.deepEqual(
      names.filter((name) => !isUsedIn(text, name) && !new RegExp(`\\b${name}\\b`).test(commands)),
      [],
    );
  });
});
