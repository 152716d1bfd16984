import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { readRepository } from '../../doubles/repository-files.ts';

const text = z.string();
const SCHEMAS = 'https://agent-plugins.org/schemas/1.0.0';
/** Agent Plugins 1.0.0 (agent-plugins.org/specification): the root takes no other members. */
const plugin = z.strictObject({
  $schema: z.literal(`${SCHEMAS}/plugin.schema.json`),
  name: text.max(64).regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/),
  version: text,
  description: text,
  homepage: text,
  repository: text,
  license: text,
  keywords: z.array(text),
});
const mcp = z.strictObject({
  $schema: z.literal(`${SCHEMAS}/mcp.schema.json`),
  mcpServers: z.record(
    text,
    z.strictObject({ type: z.literal('stdio'), command: text.min(1), args: z.array(text).optional() }),
  ),
});

describe('the agent plugin', () => {
  const read = (file: string): unknown => JSON.parse(readRepository(file));

  it('fits the standard, and has the version and the command of package.json', () => {
    const manifest = plugin.parse(read('plugin.json'));
    const { version, bin } = read('package.json') as { version: string; bin: Record<string, string> };
    assert.equal(manifest.version, version);
    for (const { command } of Object.values(mcp.parse(read('mcp.json')).mcpServers)) assert.ok(command in bin);
  });

  it('has a skill that is called like its folder', () => {
    assert.match(readRepository('skills/hoptrail/SKILL.md'), /^---\nname: hoptrail\ndescription: .{40,1024}\n---\n/);
  });
});
