import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { plainMarkdown } from '../../../../src/vscode/native/research-result.ts';

describe('document text in a chat reply', () => {
  it('keeps the spaces at which a line may break', () => {
    assert.equal(plainMarkdown('Visiting a mast > Keys,\n  Take along'), 'Visiting a mast \\> Keys, Take along');
  });

  it('leaves file names and quotes as they are', () => {
    const reason = '“Halden Cells” links to “../people/hamish-adeyemi.md” on line 12';
    assert.equal(plainMarkdown(reason), reason);
  });

  it('makes nothing of marks, links, tags, formulas and bare addresses', () => {
    assert.equal(
      plainMarkdown('**a** [b](command:x) <img> &lt; $c$'),
      '\\*\\*a\\*\\* \\[b\\](command:x) \\<img\\> \\&lt; \\$c\\$',
    );
    assert.equal(
      plainMarkdown('https://x.example www.x.example a@x.example'),
      'https\\://x.example www\\.x.example a\\@x.example',
    );
  });
});
