// Writes docs/settings.md from the manifest: `node scripts/settings-page.mjs`. With --check it only says whether the
// page is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const pageFile = path.join(root, 'docs/settings.md');

const read = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));

/** A bar would end the cell of a table. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const code = (value) => `\`${cell(JSON.stringify(value))}\``;

function limitsOf({ type, minimum, maximum, enum: values }) {
  if (values) return '';
  const range = [minimum === undefined ? '' : `from ${minimum}`, maximum === undefined ? '' : `to ${maximum}`]
    .filter(Boolean)
    .join(' ');
  return [type === 'array' ? 'list' : type, range].filter(Boolean).join(', ');
}

/**
 * The page as Markdown: a heading for each group, a table of its settings, the values of those that have a fixed set,
 * alone or in a list.
 */
export function settingsPage(manifest, words) {
  // VS Code turns `#name#` into a link to the setting.
  const say = (text = '') =>
    (text.startsWith('%') && text.endsWith('%') ? (words[text.slice(1, -1)] ?? text) : text)
      .replaceAll('`#', '`')
      .replaceAll('#`', '`');
  const scopes = {
    application: 'yours only',
    machine: 'yours only',
    window: 'workspace too',
    resource: 'workspace and folder too',
  };
  const onceTrusted = manifest.capabilities?.untrustedWorkspaces?.restrictedConfigurations ?? [];
  const whoSets = (name, scope = 'window') =>
    scope === 'window' && onceTrusted.includes(name) ? `${scopes.window}, once it is trusted` : scopes[scope];
  const lines = [
    '# Settings',
    '',
    'Written by `node scripts/settings-page.mjs` from `package.json`; a test checks that it is up to date. *Who may set it*: “yours only” means',
    'that a value in a workspace’s own settings file is not looked at, because it could send text to somebody else’s machine, or is about',
    'all of your workspaces. [interface.md](interface.md) and [methods.md](methods.md) tell what is behind the settings.',
  ];
  for (const group of manifest.contributes.configuration) {
    lines.push(
      '',
      `## ${say(group.title)}`,
      '',
      '| setting | default | kind | who may set it | what it does |',
      '|---|---|---|---|---|',
    );
    const settings = Object.entries(group.properties).sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0));
    for (const [name, setting] of settings) {
      const meaning = say(setting.markdownDescription ?? setting.description);
      lines.push(
        `| \`${name}\` | ${code(setting.default)} | ${limitsOf(setting) || 'one of those below'} | ${whoSets(name, setting.scope)} | ${cell(meaning)} |`,
      );
    }
    for (const [name, setting] of settings) {
      const { enum: values, markdownEnumDescriptions: meanings = [] } = setting.items?.enum ? setting.items : setting;
      if (!values) continue;
      lines.push(
        '',
        `\`${name}\`:`,
        '',
        ...values.map((value, i) => `- ${value === '' ? 'empty' : `\`${value}\``}: ${say(meanings[i])}`),
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const page = settingsPage(read('package.json'), read('package.nls.json'));
  if (!process.argv.includes('--check')) writeFileSync(pageFile, page);
  else if (readFileSync(pageFile, 'utf8') !== page) {
    console.error('docs/settings.md is not what package.json says: run node scripts/settings-page.mjs');
    process.exitCode = 1;
  }
}
