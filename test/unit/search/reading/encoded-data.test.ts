import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { describe, it } from 'mocha';
import { isEncodedData, withoutEncodedData } from '../../../../src/search/reading/passage-identity.ts';
import { fixturesFolder, readAll, repositoryRoot, sourceOver } from './reading-harness.ts';

describe('encoded data', () => {
  const bytes = randomBytes(600);

  it('is told from words', () => {
    const base64 = bytes.toString('base64');
    assert.ok(isEncodedData(base64));
    assert.ok(isEncodedData(bytes.toString('hex')));
    assert.ok(isEncodedData(`     "image/png": "${base64}\\n",`));
    assert.ok(
      isEncodedData((base64.match(/.{1,76}/g) ?? []).map((line) => `      "${line}\\n",`).join('\n')),
      'a list of lines, as older notebooks have it',
    );
    for (const text of [
      '',
      'harbour',
      `See ${createHash('sha256').update('x').digest('hex')} for the digest of the release.`,
      'com/example/harbour/berths/BerthController2\ncom/example/harbour/tides/TideTable3Repository\n',
      'Donaudampfschifffahrtsgesellschaftskapitaen '.repeat(10),
      `The picture is ${base64.slice(0, 60)} and so on, as the mail from the harbour office says in so many words.`,
    ])
      assert.equal(isEncodedData(text), false, text);
  });

  it('leaves the words of a page with a picture in it', () => {
    const picture = bytes.toString('base64').repeat(3);
    const page = `# Harbour guide\n\n![badge](data:image/png;base64,${picture})\n\nWritten for everybody who berths a boat in this harbour.\n`;
    assert.equal(isEncodedData(page), false);
    assert.match(withoutEncodedData(page), /^# Harbour guide[^]*everybody who berths a boat/);
    assert.ok(withoutEncodedData(page).length < 150);
    assert.equal(withoutEncodedData('The digest is 5f3a.'), 'The digest is 5f3a.');
  });

  it("is none of this repository's sources and fixtures", async () => {
    const source = sourceOver([
      path.join(repositoryRoot, 'src'),
      path.join(repositoryRoot, 'examples'),
      fixturesFolder,
    ]);
    const { files } = await readAll(source);
    source.close();
    const encoded = files.flatMap((read) =>
      read.passages
        .filter((passage) => isEncodedData(passage.text))
        .map((passage) => `${passage.path}:${passage.startLine}`),
    );
    assert.deepEqual(encoded, []);
    assert.ok(files.length > 100);
  });
});
