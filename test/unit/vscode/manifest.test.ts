import '../../doubles/vscode/register.ts';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'mocha';
import { PAPER_AGENTS } from '../../../src/learning/strategy/graph.ts';
import { OPERATORS } from '../../../src/research/domain/plan.ts';
import { defaultResearchOptions, STRATEGIES } from '../../../src/research/context/research-options.ts';
import { COMMANDS } from '../../../src/vscode/manifest-names.ts';
import { readSettings } from '../../../src/vscode/settings.ts';
import { collectMessages } from '../../../scripts/l10n-messages.mjs';
import { readRepository } from '../../doubles/repository-files.ts';

const { modelProviders } = await import('../../../src/vscode/model/model-providers.ts');

const read = (file: string): unknown => JSON.parse(readRepository(file));

interface Property {
  default: unknown;
  scope: string;
  enum?: string[];
  items?: { enum?: string[]; markdownEnumDescriptions?: string[] };
  pattern?: string;
  markdownEnumDescriptions?: string[];
  markdownDescription: string;
}
interface Manifest {
  icon: string;
  galleryBanner: { color: string };
  categories: string[];
  qna: string;
  bugs: { url: string };
  contributes: {
    commands: { command: string; category: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    keybindings: { command: string }[];
    configuration: { properties: Record<string, Property> }[];
    languageModelTools: {
      name: string;
      canBeReferencedInPrompt?: boolean;
      toolReferenceName?: string;
      icon?: string;
    }[];
    chatSkills: { path: string }[];
    walkthroughs: { steps: { description: string; completionEvents: string[] }[] }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}
const manifest = read('package.json') as Manifest;
const texts = read('package.nls.json') as Record<string, string>;
const properties = Object.assign(
  {},
  ...manifest.contributes.configuration.map((section) => section.properties),
) as Record<string, Property>;

describe('the manifest', () => {
  it('shows the marketplaces an icon on its own colour, and pictures that are there', () => {
    const icon = readRepository('media/icon.svg');
    assert.equal(manifest.icon, 'media/icon.png');
    assert.ok(icon.includes(`fill="${manifest.galleryBanner.color}"`));
    const readme = readRepository('README.md');
    const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, picture]) => picture ?? '');
    assert.ok(pictures.length >= 1);
    for (const picture of pictures) assert.ok(existsSync(new URL(`../../../${picture}`, import.meta.url)), picture);
  });

  it('is found where people look for such, with a place for their questions', () => {
    assert.deepEqual(
      manifest.categories.filter((one) => ['AI', 'Chat'].includes(one)),
      ['AI', 'Chat'],
    );
    for (const address of [manifest.qna, manifest.bugs.url]) assert.match(address, /^https:\/\/github\.com\//);
  });

  it('begins its first steps with a question', () => {
    const [first] = manifest.contributes.walkthroughs[0]?.steps ?? [];
    const text = texts[first?.description.slice(1, -1) ?? ''] ?? '';
    const [command] = [...text.matchAll(/\]\(command:([\w.]+)\)/g)].map(([, name]) => name);
    assert.equal(command, 'hoptrail.ask');
    assert.ok(first?.completionEvents.includes(`onCommand:${command}`));
  });

  it('lets people name its tools in a prompt, and tells agents which one to use when', () => {
    const { languageModelTools, chatSkills } = manifest.contributes;
    for (const { name, canBeReferencedInPrompt, toolReferenceName, icon } of languageModelTools) {
      assert.equal(canBeReferencedInPrompt, true, name);
      assert.ok(toolReferenceName && icon, name);
    }
    assert.equal(chatSkills.length, 1);
    for (const { path } of chatSkills) {
      const skill = readRepository(path);
      assert.match(skill, /^---\nname: \S+\ndescription: .{40,}/);
      for (const { name } of languageModelTools) assert.ok(skill.includes(name), name);
    }
  });

  it('offers the operators and the agents that there are, each with its words', () => {
    const values = (key: string): string[] => [...(properties[key]?.enum ?? [])].sort();
    assert.deepEqual(values('hoptrail.research.operator'), ['', ...OPERATORS].sort());
    assert.deepEqual(properties['hoptrail.research.operators']?.items?.enum, OPERATORS);
    assert.deepEqual(values('hoptrail.model.provider'), [...modelProviders.keys()].sort());
    assert.deepEqual(values('hoptrail.strategy'), [...STRATEGIES, ...PAPER_AGENTS, 'belle', 'graph'].sort());
    const agents = (properties['hoptrail.research.graph']?.pattern ?? '').match(/[a-z][a-z-]+/g) ?? [];
    assert.deepEqual([...new Set(agents)].sort(), [...PAPER_AGENTS, 'vote'].sort());
    for (const { enum: names = [], markdownEnumDescriptions: words } of Object.values(properties))
      if (words) assert.equal(words.length, names.length);
  });

  it('contributes exactly the commands that are registered', () => {
    const contributed = manifest.contributes.commands.map((command) => command.command);
    assert.deepEqual([...contributed].sort(), [...COMMANDS].sort());
    const used = [...Object.values(manifest.contributes.menus).flat(), ...manifest.contributes.keybindings].map(
      (entry) => entry.command,
    );
    assert.deepEqual(
      used.filter((command) => !contributed.includes(command)),
      [],
    );
    assert.ok(manifest.contributes.commands.every((command) => command.category === 'Hoptrail'));
  });

  it('offers its context menus on files here and in remote windows, whose files the editor itself knows by another scheme', () => {
    const entries = ['editor/context', 'explorer/context'].flatMap((menu) => manifest.contributes.menus[menu] ?? []);
    assert.deepEqual(
      entries.map((entry) => entry.command),
      ['hoptrail.askAboutSelection', 'hoptrail.connectFiles', 'hoptrail.askInFolder', 'hoptrail.connectFiles'],
    );
    for (const { command, when } of entries) {
      const pattern = /\bresourceScheme =~ \/(.+?)\/(?: |$)/.exec(when ?? '')?.[1] ?? '(?!)';
      assert.deepEqual(
        ['file', 'vscode-remote', 'git', 'untitled', 'vscode-vfs', 'output'].filter((scheme) =>
          new RegExp(pattern).test(scheme),
        ),
        ['file', 'vscode-remote'],
        command,
      );
    }
  });

  it('has a text for every placeholder, and no text too many', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
  });

  it('states the defaults that the code has', () => {
    const settings = readSettings((key) => properties[`hoptrail.${key}`]?.default, defaultResearchOptions);
    assert.deepEqual(
      settings,
      readSettings(() => undefined, defaultResearchOptions),
    );
    const { firstHits, ...set } = defaultResearchOptions; // who watches is no matter of settings
    assert.equal(firstHits, false);
    assert.deepEqual(settings.research, set);
  });

  it('lets no workspace name an address, a folder outside or a model', () => {
    const sensitive = Object.keys(properties).filter((key) =>
      /\.(uri|baseUrl|folder|kind|provider|editorModel|name)$|^hoptrail\.(model|embedder)\./.test(key),
    );
    assert.ok(sensitive.length >= 8);
    for (const key of sensitive) {
      assert.equal(properties[key]?.scope, 'machine', key);
      assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(key), key);
    }
  });

  it('describes every setting and every choice', () => {
    for (const [key, property] of Object.entries(properties)) {
      assert.ok(property.markdownDescription, key);
      for (const { enum: values, markdownEnumDescriptions: words } of [property, property.items ?? {}])
        if (values) assert.equal(words?.length, values.length, key);
    }
  });
});

describe('the texts of the code', () => {
  it('stand in the bundle for translators (node scripts/l10n.mjs writes it)', () => {
    const bundle = read('l10n/bundle.l10n.json') as Record<string, string>;
    assert.deepEqual(Object.keys(bundle), collectMessages());
  });
});
