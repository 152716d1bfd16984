// Adds optional packages of other platforms to package-lock.json, and hashes of the natives that ship:
// `node scripts/complete-lockfile.mjs`.
//
// If a registry mirror lacks a platform's package, `npm install` writes a lock file without it, and `npm ci` then
// refuses that file everywhere. An entry needs a version and its machines. Packaging needs its hash, too, which only
// a registry that has the package can give.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const file = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'package-lock.json');
const systems = 'aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32';
const processors = 'arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64';

function machines(name) {
  const [, os, cpu] = new RegExp(`(${systems})-(${processors})`).exec(name) ?? [];
  if (os === undefined || cpu === undefined)
    throw new Error(`cannot tell from its name what machines ${name} is for: enter it by hand`);
  const libc = /musl/.test(name) ? ['musl'] : /gnu/.test(name) ? ['glibc'] : undefined;
  return { cpu: [cpu], ...(libc && { libc }), os: [os] };
}

const lock = JSON.parse(readFileSync(file, 'utf8'));
const names = new Set(
  Object.keys(lock.packages).map((key) => key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length)),
);
const added = Object.values(lock.packages).flatMap(({ optionalDependencies = {}, dev }) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !names.has(name))
    .map(([name, version]) => {
      const entry = { version: version.replace(/^[~^]/, ''), ...(dev && { dev }), optional: true, ...machines(name) };
      return [`node_modules/${name}`, entry];
    }),
);
lock.packages = Object.fromEntries(
  [...Object.entries(lock.packages), ...added].sort(([a], [b]) => a.localeCompare(b, 'en')),
);

/** The registry's hash of a package; undefined if it lacks the package. */
function hashOf(name, version) {
  try {
    const said = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }).trim();
    return said === '' ? undefined : said;
  } catch {
    return undefined;
  }
}

const natives = Object.entries(lock.packages).filter(
  ([key, { integrity }]) => /^node_modules\/(?:@lancedb\/lancedb-|onnxruntime-)/.test(key) && integrity === undefined,
);
for (const [key, entry] of natives) {
  const name = key.slice('node_modules/'.length);
  if (entry.version !== undefined) entry.integrity = hashOf(name, entry.version);
  if (entry.version !== undefined && entry.integrity === undefined)
    console.log(`this registry has no ${name}@${entry.version}: it cannot be packaged until one has given its hash`);
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  added.length === 0
    ? 'package-lock.json is complete'
    : `added ${added.map(([key]) => key.slice('node_modules/'.length)).join(', ')}`,
);
