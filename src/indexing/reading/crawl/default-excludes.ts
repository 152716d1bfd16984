import type { SkipReason } from '../../../model/source-file.ts';

const FOLDERS: Readonly<Record<string, string>> = {
  '.git': 'version control data', '.hg': 'version control data', '.svn': 'version control data', '.jj': 'version control data', CVS: 'version control data',
  node_modules: 'installed packages', bower_components: 'installed packages', '.yarn': 'installed packages', '.pnpm-store': 'installed packages',
  '.venv': 'installed packages', 'site-packages': 'installed packages', '.bundle': 'installed packages', '.terraform': 'installed packages',
  __pycache__: 'a cache', '.mypy_cache': 'a cache', '.pytest_cache': 'a cache', '.ruff_cache': 'a cache', '.tox': 'a cache', '.nox': 'a cache',
  '.gradle': 'a cache', '.cache': 'a cache', '.turbo': 'a cache', '.parcel-cache': 'a cache', '.nyc_output': 'a cache', '.vscode-test': 'a cache',
  '.next': 'build output', '.nuxt': 'build output', '.svelte-kit': 'build output', '.ipynb_checkpoints': 'copies of notebooks', '.eggs': 'build output',
};

const LOCK_FILES = new Set([
  'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'cargo.lock', 'poetry.lock', 'pipfile.lock', 'uv.lock', 'pdm.lock',
  'composer.lock', 'gemfile.lock', 'go.sum', 'packages.lock.json', 'flake.lock', 'mix.lock', 'pubspec.lock', 'podfile.lock', 'package.resolved',
]);

const BINARY = new Set(
  ('png jpg jpeg gif bmp ico icns webp avif tif tiff heic psd ai eps mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg opus zip gz tgz bz2 xz zst 7z rar tar jar war ear ' +
  'class o a so dylib dll exe obj lib pdb wasm node bin dat db sqlite sqlite3 mdb parquet arrow feather avro orc npy npz pkl pickle pt pth onnx safetensors gguf h5 hdf5 ' +
  'ttf otf woff woff2 eot xls xlsx xlsm ppt pptx doc odt ods odp epub mobi dmg iso img deb rpm apk ipa msi vsix whl pyc pyo pyd lance swf fla blend fbx glb stl rlib rmeta')
    .split(' '),
);

const SECRET_NAMES = new Set(['.netrc', '.pgpass', '.npmrc', '.pypirc', 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', '.env']);
const SECRET_EXTENSIONS = new Set(['pem', 'key', 'p12', 'pfx', 'jks', 'keystore', 'kdbx']);
/** What of `.env.*` is shown to everybody. */
const ENV_SAMPLES = new Set(['.env.example', '.env.sample', '.env.template', '.env.dist']);

function mayHoldSecrets(name: string, extension: string): boolean {
  const small = name.toLowerCase();
  return SECRET_NAMES.has(small) || SECRET_EXTENSIONS.has(extension) || (small.startsWith('.env.') && !ENV_SAMPLES.has(small));
}

/** What is left out unless a .hoptrailignore keeps it; undefined for everything else. */
export function defaultExclusion(name: string, isFolder: boolean): { reason: SkipReason; detail: string } | undefined {
  if (isFolder) {
    const what = FOLDERS[name];
    return what === undefined ? undefined : { reason: 'excluded', detail: `${name} holds ${what}` };
  }
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  if (mayHoldSecrets(name, extension)) return { reason: 'excluded', detail: 'it may hold secrets; "!" and its name in .hoptrailignore keeps it' };
  if (name === '.hoptrailignore') return { reason: 'excluded', detail: 'it says what is left out, and is no text to search' };
  if (name === '.DS_Store' || name === 'Thumbs.db') return { reason: 'excluded', detail: "the file manager's own data" };
  if (LOCK_FILES.has(name.toLowerCase())) return { reason: 'generated', detail: 'a lock file, written by a package manager' };
  if (BINARY.has(extension)) return { reason: 'binary', detail: `.${extension} files hold no text` };
  if (extension === 'map') return { reason: 'generated', detail: 'a source map' };
  return undefined;
}
