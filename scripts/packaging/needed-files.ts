import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What ships of a native package: files and folders in it. */
export interface NativePart {
  name: string;
  paths: readonly string[];
}

const BUNDLES = ['later', 'cli', 'index-process', 'model-thread', 'process-guard'];

/** The libraries among what ships of native packages, by their places in the package. */
export const nativeFiles = (natives: readonly NativePart[]): string[] =>
  natives.flatMap(({ name, paths }) =>
    paths.filter((part) => /\.(node|dll|dylib)$|\.so\b/.test(part)).map((part) => `node_modules/${name}/${part}`),
  );

/** Files without which the extension, or a part of it, would not run. */
function neededFiles(root: string, natives: readonly NativePart[], parsing: readonly string[]): string[] {
  const { main, icon } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    main: string;
    icon: string;
  };
  const below = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  return [
    path.posix.normalize(main),
    icon,
    ...BUNDLES.map((name) => `dist/${name}.cjs`),
    ...parsing.map((name) => `dist/wasm/${name}`),
    ...below('models').filter((file) => !file.endsWith('.md')),
    ...below('skills'),
    ...natives.map(({ name }) => `node_modules/${name}/package.json`),
    ...nativeFiles(natives),
  ];
}

/**
 * @param files Of the package that is about to be made.
 * @param parsing Grammars, their patterns and what runs them, as they are named in dist/wasm.
 * @throws Error that names what it lacks
 */
export function assertWhole(
  files: readonly string[],
  root: string,
  natives: readonly NativePart[],
  parsing: readonly string[],
): void {
  const missing = neededFiles(root, natives, parsing).filter((name) => !files.includes(name));
  if (missing.length > 0) throw new Error(`The package would lack ${missing.join(', ')}: see .vscodeignore.`);
}
