import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** What a platform needs of the native packages. */
export interface Target {
  /** LanceDB's package of that platform. */
  lancedb: string;
  /**
   * Files of ONNX Runtime's bin/napi-v6/OS/CPU, which its one npm package holds for all platforms. The others there
   * are copies, or for graphics processors (DirectML, dxcompiler, dxil: Windows loads them when a session asks).
   */
  onnxruntime: readonly string[];
}

const linux = ['onnxruntime_binding.node', 'libonnxruntime.so.1'];
const windows = ['onnxruntime_binding.node', 'onnxruntime.dll'];

/** By VS Code's names of platforms. Intel Macs and Alpine are missing: neither library is made for them. */
export const TARGETS: Readonly<Record<string, Target>> = {
  'linux-x64': { lancedb: '@lancedb/lancedb-linux-x64-gnu', onnxruntime: linux },
  'linux-arm64': { lancedb: '@lancedb/lancedb-linux-arm64-gnu', onnxruntime: linux },
  'darwin-arm64': {
    lancedb: '@lancedb/lancedb-darwin-arm64',
    onnxruntime: ['onnxruntime_binding.node', 'libonnxruntime.1.dylib'],
  },
  'win32-x64': { lancedb: '@lancedb/lancedb-win32-x64-msvc', onnxruntime: windows },
  'win32-arm64': { lancedb: '@lancedb/lancedb-win32-arm64-msvc', onnxruntime: windows },
};

/** @throws Error that lists the platforms there are */
export function targetNamed(name: string): Target {
  const target = TARGETS[name];
  if (target) return target;
  throw new Error(
    `LanceDB and ONNX Runtime are not both made for ${JSON.stringify(name)}. They are for ${Object.keys(TARGETS).join(', ')}.`,
  );
}

/** A package in the lock file; `integrity` is missing if the registry that wrote the lock file lacked the package. */
export interface LockedPackage {
  version: string;
  integrity?: string;
}

/** @throws Error unless the lock file has a hash of the package: nothing unchecked ships */
export function requirePinned(name: string, locked: LockedPackage | undefined): LockedPackage {
  if (locked?.integrity !== undefined) return locked;
  throw new Error(
    `package-lock.json has no hash of ${name}. Run node scripts/complete-lockfile.mjs with a registry that has it.`,
  );
}

/**
 * Fetches a package of another platform and unpacks it to `folder`, which is kept.
 *
 * @param spec For `npm pack`: `NAME@VERSION`
 * @throws Error if the registry lacks it, the lock file has no hash of it, or the tarball has another hash
 */
export function fetchPackage(spec: string, locked: LockedPackage, folder: string): void {
  const { integrity } = requirePinned(spec, locked);
  if (existsSync(folder)) return;
  mkdirSync(path.dirname(folder), { recursive: true });
  const scratch = mkdtempSync(`${folder}-`);
  try {
    const [packed] = JSON.parse(npm(['pack', spec, '--json', '--pack-destination', scratch])) as { filename: string }[];
    const tarball = path.join(scratch, packed?.filename ?? '');
    const found = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    if (integrity !== found)
      throw new Error(`${spec} is not what package-lock.json names: it should be ${integrity}, and is ${found}.`);
    execFileSync('tar', ['-xzf', tarball, '-C', scratch]);
    renameSync(path.join(scratch, 'package'), folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function npm(args: string[]): string {
  try {
    return execFileSync('npm', [...args, '--loglevel', 'error'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr ?? '';
    const why = /code E(?:404|TARGET)/.test(said) ? 'this registry does not have it' : said.trim().slice(0, 500);
    throw new Error(`${args[1]} cannot be fetched: ${why}.`, { cause });
  }
}

/** A little-endian ELF program of 64 bits. */
const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);

/**
 * A Linux library without the table of its own symbols: a sixth of LanceDB's file that only a debugger reads. It stands
 * with the section headers behind everything that is loaded, so that the file can be cut there. Others as they are.
 */
export function withoutSymbols(library: Buffer): Buffer {
  if (!library.subarray(0, ELF.length).equals(ELF)) return library;
  const headers = Number(library.readBigUInt64LE(32));
  const [size, count] = [library.readUInt16LE(54), library.readUInt16LE(56)];
  let end = headers + size * count;
  for (let i = 0; i < count; i++) {
    const at = headers + i * size;
    end = Math.max(end, Number(library.readBigUInt64LE(at + 8) + library.readBigUInt64LE(at + 32)));
  }
  const cut = Buffer.from(library.subarray(0, end));
  cut.writeBigUInt64LE(0n, 40); // where section headers begin,
  cut.fill(0, 58, 64); // and the size, number and names of them
  return cut;
}

/** Platform that a library is made for, as `linux-x64`; undefined for what is no library. */
export function platformOf(library: Buffer): string | undefined {
  if (library.length < 64) return undefined;
  if (library.subarray(0, ELF.length).equals(ELF)) return named('linux', library.readUInt16LE(18), 0x3e, 0xb7);
  if (library.readUInt32LE(0) === 0xfeedfacf) return named('darwin', library.readUInt32LE(4), 0x1000007, 0x100000c);
  const header = library.toString('latin1', 0, 2) === 'MZ' ? library.readUInt32LE(60) : library.length;
  if (library.toString('latin1', header, header + 4) !== 'PE\0\0') return undefined;
  return named('win32', library.readUInt16LE(header + 4), 0x8664, 0xaa64);
}

const named = (system: string, processor: number, x64: number, arm64: number): string | undefined =>
  processor === x64 ? `${system}-x64` : processor === arm64 ? `${system}-arm64` : undefined;
