import { constants, deflateRawSync } from 'node:zlib';

/** An entry of a made ZIP archive; its directory states `statedBytes`, whatever really comes out. */
interface ZipEntry {
  name: string;
  deflated: Uint8Array;
  statedBytes: number;
}

const END = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const DEFLATE = 8;

export function zipEntry(name: string, content: string): ZipEntry {
  const bytes = Buffer.from(content, 'utf8');
  return { name, deflated: deflateRawSync(bytes), statedBytes: bytes.length };
}

/** Deflated bytes that unpack to `part` repeated: a flushed block stands for itself wherever it is put. */
export function deflatedRepetition(part: string, times: number, before = '', after = ''): Uint8Array {
  const block = (text: string): Buffer =>
    deflateRawSync(Buffer.from(text), { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  return Buffer.concat([block(before), ...Array<Buffer>(times).fill(block(part)), deflateRawSync(Buffer.from(after))]);
}

/** A ZIP archive that says what it is told to; its checksums are zero, which the readers in use do not look at. */
function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, deflated, statedBytes } of entries) {
    const title = Buffer.from(name, 'utf8');
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(DEFLATE, 4);
    shared.writeUInt32LE(deflated.length, 14);
    shared.writeUInt32LE(statedBytes, 18);
    shared.writeUInt16LE(title.length, 22);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL_ENTRY, 0);
    locals.push(local, shared, title, Buffer.from(deflated));
    const head = Buffer.alloc(6);
    head.writeUInt32LE(DIRECTORY_ENTRY, 0);
    head.writeUInt16LE(20, 4);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(head, shared, tail, title);
    offset += 4 + 26 + title.length + deflated.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ' +
  'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default ' +
  'Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ' +
  'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
  'Target="word/document.xml"/></Relationships>';
export const DOCX_START =
  '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>';
export const DOCX_END = '</w:body></w:document>';

/** A Word document whose `word/document.xml` is the given entry, besides what every document has. */
export function docxOf(main: Pick<ZipEntry, 'deflated' | 'statedBytes'>, more: readonly ZipEntry[] = []): Uint8Array {
  return zipOf([
    zipEntry('[Content_Types].xml', CONTENT_TYPES),
    zipEntry('_rels/.rels', RELATIONS),
    { name: 'word/document.xml', ...main },
    ...more,
  ]);
}

export function docxOfBody(body: string): Uint8Array {
  const { deflated, statedBytes } = zipEntry('word/document.xml', `${DOCX_START}${body}${DOCX_END}`);
  return docxOf({ deflated, statedBytes });
}

/** A PDF of numbered objects, the first of which is its catalogue; the table of offsets is right. */
export function pdfOf(objects: readonly string[]): Uint8Array {
  const parts: string[] = ['%PDF-1.4\n'];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  objects.forEach((object, i) => {
    offsets.push(length);
    const part = `${i + 1} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root ` +
      `1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}

export const pdfStream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
export const PDF_FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
