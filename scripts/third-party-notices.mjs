import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The package folder of a bundled file, `node_modules/@scope/name` with nesting kept; undefined for our own files. */
function packageFolder(file) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

/**
 * The licences of everything that ships but is not ours.
 * @param {string} root the repository
 * @param {string[]} bundledFiles paths relative to the root, as in esbuild's metafile
 * @param {string[]} packages names of packages that ship as they are
 * @returns {string} one text
 */
export function thirdPartyNotices(root, bundledFiles, packages) {
  const folders = new Set([
    ...bundledFiles.map(packageFolder).filter((folder) => folder !== undefined),
    ...packages.map((name) => `node_modules/${name}`),
  ]);
  const notices = [...folders].sort().flatMap((folder) => {
    const manifestFile = path.join(root, folder, 'package.json');
    if (!existsSync(manifestFile)) return [];
    const { name, version, license } = JSON.parse(readFileSync(manifestFile, 'utf8'));
    const texts = readdirSync(path.join(root, folder))
      .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      .sort();
    const text = texts.map((file) => readFileSync(path.join(root, folder, file), 'utf8').trim()).join('\n\n');
    const declared = typeof license === 'string' ? license : (license?.type ?? 'see its home page');
    return [`${name} ${version}\nLicence: ${declared}\n\n${text}`.trim()];
  });
  return `Hoptrail ships parts of the packages below.\n\n${[...new Set(notices)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
