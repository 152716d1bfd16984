import { docxOfBody, PDF_FONT, pdfOf, pdfStream } from './made-documents.ts';
import type { Random } from './random.ts';

/** Documents made by rules: what nests nests deep, what repeats repeats often, and some of it is broken. */
interface Made {
  extension: string;
  content: string | Uint8Array;
}

type Grammar = (random: Random, largest: number) => Made;

const WORDS = 'harbour lock tide berth ferry.md src/pilot.ts a Ansa 12 3.5 https://port.example/x name kind é 船'.split(
  ' ',
);

const words = (random: Random, most: number): string =>
  Array.from({ length: random.whole(1, most) }, () => random.pick(WORDS)).join(' ');
/** As many parts as fit. */
function parts(random: Random, largest: number, one: (i: number) => string): string {
  let text = '';
  for (let i = 0; text.length < largest; i++) text += one(i);
  return text;
}
/** A depth that is now and then absurd. */
const depthOf = (random: Random, largest: number): number =>
  random.chance(0.2) ? Math.floor(largest / 4) : random.whole(1, 30);

const nestedJson: Grammar = (random, largest) => {
  const depth = depthOf(random, largest);
  const open = random.pick(['{"a":', '[', '{"a":[', '[\n', '{\n"key":\n']);
  const close = random.chance(0.7)
    ? [...open]
        .reverse()
        .flatMap((c) => (c === '[' ? ']' : c === '{' ? '}' : []))
        .join('')
    : '';
  const times = Math.min(depth, Math.floor(largest / open.length));
  return {
    extension: random.pick(['json', 'yaml', 'ipynb', 'toml']),
    content: open.repeat(times) + '1' + close.repeat(times),
  };
};

const yaml: Grammar = (random, largest) => {
  let indent = 0;
  const line = (): string => {
    indent = Math.max(0, indent + random.pick([-4, -2, 0, 0, 2, 2]));
    const value = random.pick([
      '',
      words(random, 4),
      `"${words(random, 3)}"`,
      "'open",
      '|',
      '>-',
      '&a x',
      '*a',
      '[a, b]',
      '{a: b}',
      '{{ .Values.x }}',
      '[',
      '# c',
      '!t x',
    ]);
    return `${' '.repeat(indent)}${random.pick(['', '- ', '- - ', '? '])}${random.pick(WORDS)}${random.pick([': ', ':', ' '])}${value}\n`;
  };
  return {
    extension: random.pick(['yaml', 'yml']),
    content: random.chance(0.2)
      ? parts(random, largest, (i) => `${' '.repeat(i % 900)}k:\n`)
      : parts(random, largest, line),
  };
};

const markdown: Grammar = (random, largest) => ({
  extension: random.pick(['md', 'mdx', 'txt']),
  content:
    (random.chance(0.2) ? `---\ntitle: ${words(random, 5)}\nrelated: [${words(random, 3)}]\n---\n` : '') +
    parts(random, largest, () =>
      random.pick([
        () => `${'#'.repeat(random.whole(1, 7))} ${words(random, 10)} ${'#'.repeat(random.whole(0, 3))}\n`,
        () => `${words(random, 30)}\n`,
        () => `\n`,
        () => `${'> '.repeat(random.whole(1, 40))}${words(random, 5)}\n`,
        () => `${' '.repeat(random.whole(0, 12))}${random.pick(['- ', '* ', '1. '])}${words(random, 8)}\n`,
        () => `| ${words(random, 4)} | ${words(random, 2)} |\n|---|:-:|\n`,
        () => `${random.pick(['```', '~~~~', '`````'])}${random.pick(WORDS)}\n`,
        () => `[${words(random, 3)}](${random.pick(WORDS)}${random.pick([')', ' "t")', '(a))', ''])}\n`,
        () => `[${random.pick(WORDS)}]: ${random.pick(WORDS)}\n`,
        () => `[[${words(random, 2)}|${random.pick(WORDS)}]]\n`,
        () => `${words(random, 3)}\n${random.pick(['===', '---'])}\n`,
        () => `*${words(random, 3)}* **${words(random, 2)}** \`${words(random, 2)}\` <b>${words(random, 1)}</b>\n`,
        () => '<!-- a\n',
        () => '-->\n',
        () => '<pre>\n',
        () => `${words(random, 400)}\n`,
      ])(),
    ),
});

const restructured: Grammar = (random, largest) => ({
  extension: 'rst',
  content: parts(random, largest, () =>
    random.pick([
      () => `${words(random, 4)}\n${random.pick(['=', '-', '~', '^']).repeat(random.whole(1, 40))}\n`,
      () => `.. ${random.pick(['note', 'toctree', 'include', 'automodule'])}:: ${words(random, 2)}\n`,
      () => `   ${words(random, 5)}\n`,
      () => `:ref:\`${words(random, 2)} <${random.pick(WORDS)}>\` :func:\`a.b\`\n`,
      () => `.. _${random.pick(WORDS)}:\n`,
      () => '\n',
      () => `${words(random, 40)}::\n`,
    ])(),
  ),
});

const html: Grammar = (random, largest) => {
  const tags = 'div p b i a table tr td ul li h1 h2 h3 span svg title script template select textarea'.split(' ');
  const one = (): string =>
    random.pick([
      () => `<${random.pick(tags)}${random.chance(0.3) ? ` href="${random.pick(WORDS)}"` : ''}>`,
      () => `</${random.pick(tags)}>`,
      () => `${words(random, 6)}\n`,
      () => '&amp;&#x41;&bad',
      () => '<!-- ',
      () => '<',
      () => '<a b=\'c">',
    ])();
  const tag = random.pick(tags);
  return {
    extension: random.pick(['html', 'htm', 'xhtml']),
    content: random.chance(0.2)
      ? `<${tag}> \n`.repeat(Math.floor(largest / (tag.length + 4)))
      : parts(random, largest, one),
  };
};

const csv: Grammar = (random, largest) => {
  const mark = random.pick([',', ';', '\t', '|']);
  const cell = (): string =>
    random.pick([
      () => random.pick(WORDS),
      () => `"${words(random, 3)}"`,
      () => `"${words(random, 2)}\n${words(random, 2)}"`,
      () => '"',
      () => 'a"b',
      () => '""',
      () => '',
    ])();
  return {
    extension: random.pick(['csv', 'tsv']),
    content: parts(random, largest, () => `${Array.from({ length: random.whole(1, 6) }, cell).join(mark)}\n`),
  };
};

const toml: Grammar = (random, largest) => ({
  extension: 'toml',
  content: parts(random, largest, () =>
    random.pick([
      () => `[${random.pick(WORDS)}.${random.pick(WORDS)}]\n`,
      () => `[[${random.pick(WORDS)}]]\n`,
      () => `${random.pick(WORDS)} = ${random.pick(['1', '"a"', '[', '[1,\n2]', '"""a', "'''", '{a = 1}', '"open'])}\n`,
      () => '# note\n',
      () => ']\n',
      () => '"""\n',
    ])(),
  ),
});

const notebook: Grammar = (random, largest) => {
  const cell = (): string => {
    const cell_type = random.pick(['markdown', 'code', 'raw']);
    const source = [`# ${words(random, 4)}\n`, `${words(random, 8)}\n`];
    return JSON.stringify({ cell_type, source, metadata: {}, outputs: [] }, null, random.pick([0, 1]));
  };
  const cells = Array.from({ length: Math.max(1, Math.floor(largest / 200)) }, cell);
  return { extension: 'ipynb', content: `{"cells": [${cells.join(',\n')}], "metadata": {}}` };
};

const code: Grammar = (random, largest) => {
  const extension = random.pick('ts tsx js py go rs java c cpp cs rb php sh kt swift'.split(' '));
  const line = (): string =>
    random.pick([
      () => `import { a, b as c } from './${random.pick(WORDS)}';\n`,
      () => `from a.b import (c,\n  d)\n`,
      () => `use a::{b, c::{d as e}};\n`,
      () => `class A${random.whole(1, 99)} {\n`,
      () => 'def f(x):\n    return x\n',
      () => `function f${random.whole(1, 99)}() {\n`,
      () => '}\n',
      () => `  x.y::z->w(${words(random, 2)});\n`,
      () => `// ${words(random, 8)}\n`,
      () => `# ${words(random, 8)}\n`,
      () => `"${words(random, 3)}\n`,
      () => `${random.pick(['(', '[', '{', '<', 'f(', 'if (a) ', 'a ? b : ']).repeat(random.whole(1, 60))}\n`,
      () => '\n',
      () => `#include <${random.pick(WORDS)}>\n`,
      () => `${'.a'.repeat(random.whole(1, 200))}()\n`,
    ])();
  const nest = random.pick(['(', '{', '[', 'f(() => {\n', 'a: |\n', 'if x:\n ', 'class A { ', '/* ', '<a>', '${`']);
  return {
    extension,
    content: random.chance(0.2) ? nest.repeat(Math.floor(largest / nest.length)) : parts(random, largest, line),
  };
};

/** What a line is made of that goes on and on. */
// prettier-ignore
const UNITS = [
  ' ', 'a', 'a ', 'word ', 'a.b/', 'x.md ', '"', "'", '-', '=', '#', '`', '*', '[', ']', '(', '<', '{', '\\',
  '\t', '0,', ': ', '| ', '船', '\u{1f600}', 'A', 'a_', '@', 'http://a ',
];

const longLines: Grammar = (random, largest) => {
  const unit = random.pick(UNITS);
  const extension = random.pick('md txt rst html json yaml toml csv ipynb ts py log xml sql rb sh'.split(' '));
  const begins = random.pick(['', '# ', 'a: ', '"', '<p>', 'x = ', '[', '/* ']);
  const ends = random.pick(['', 'b', '\n', '"', ']']);
  return { extension, content: `${begins}${unit.repeat(Math.floor(largest / unit.length))}${ends}` };
};

const docx: Grammar = (random, largest) => {
  const one = (): string =>
    random.pick([
      () => `<w:p><w:r><w:t>${words(random, 12)}</w:t></w:r></w:p>`,
      () =>
        `<w:p><w:pPr><w:pStyle w:val="Heading${random.whole(1, 7)}"/></w:pPr><w:r><w:t>${words(random, 4)}</w:t></w:r></w:p>`,
      () => `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>${words(random, 3)}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`,
      () => `<w:p><w:r><w:br/></w:r></w:p>`,
      () => (random.chance(0.02) ? '<w:p>' : '<w:p/>'),
    ])();
  const depth = random.whole(1, 80);
  const body = random.chance(0.2)
    ? `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}<w:p/>${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`
    : parts(random, largest, one);
  return { extension: 'docx', content: docxOfBody(body) };
};

const pdf: Grammar = (random, largest) => {
  const pages = random.chance(0.1) ? random.whole(100, 400) : random.whole(1, 6);
  const kids = Array.from({ length: pages }, (_, i) => `${4 + 2 * i} 0 R`).join(' ');
  const count = random.pick([pages, pages, pages, 1, 0, -1, 10_000_000, 3 * pages]);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${random.chance(0.1) ? '2 0 R ' : ''}${kids}] >>`,
    PDF_FONT,
  ];
  for (let i = 0; i < pages; i++) {
    const line = (): string =>
      `(${words(random, 4).replace(/[^ -~]/g, '')}${random.chance(0.02) ? '(' : ''}) Tj 0 -14 Td`;
    const lines = Array.from({ length: Math.max(1, Math.floor(largest / pages / 40)) }, line);
    const content = `BT /F1 12 Tf 20 200 Td ${lines.join(' ')} ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${5 + 2 * i} 0 R /Resources << /Font << ` +
        `/F1 3 0 R >> >> >>`,
      pdfStream(content),
    );
  }
  return { extension: 'pdf', content: pdfOf(objects) };
};

const GRAMMARS: readonly Grammar[] = [
  nestedJson,
  yaml,
  yaml,
  markdown,
  markdown,
  restructured,
  html,
  csv,
  toml,
  notebook,
  code,
  code,
  longLines,
  longLines,
  docx,
  pdf,
];

export const grammarMade: Grammar = (random, largest) => random.pick(GRAMMARS)(random, largest);
