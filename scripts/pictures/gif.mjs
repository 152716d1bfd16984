/**
 * An animated GIF that repeats for ever (GIF89a, https://www.w3.org/Graphics/GIF/spec-gif89a.txt). Frames are of one
 * size, each with its own palette; a pixel that is as in the frame before is left transparent, which compresses well.
 * @param {{ width: number, height: number, palette: number[][], pixels: Buffer, seconds: number }[]} frames palettes of
 *   255 colours at most
 */
export function gif(frames) {
  const { width, height } = frames[0];
  const word = (value) => [value & 255, value >> 8];
  const parts = [
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([...word(width), ...word(height), 0x70, 0, 0]),
    Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0', 'latin1'), 3, 1, 0, 0, 0]),
  ];
  let before;
  for (const frame of frames) {
    const colours = frame.palette.map((colour) => (colour[0] << 16) | (colour[1] << 8) | colour[2]);
    const drawn = Uint8Array.from(frame.pixels, (index, at) =>
      before !== undefined && before[at] === colours[index] ? 255 : index,
    );
    before = Int32Array.from(frame.pixels, (index) => colours[index]);
    const table = Buffer.alloc(256 * 3);
    frame.palette.forEach((colour, i) => table.set(colour, i * 3));
    parts.push(
      Buffer.from([0x21, 0xf9, 4, 0x05, ...word(Math.round(frame.seconds * 100)), 255, 0]),
      Buffer.from([0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0x87]),
      table,
      compressed(drawn),
    );
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])]);
}

/** Variable-length LZW (appendix F of the specification), codes of 9 to 12 bits. */
function compressed(indices) {
  const clear = 256;
  const end = 257;
  const bytes = [];
  let bits = 0;
  let held = 0;
  let size = 9;
  const put = (code) => {
    held |= code << bits;
    for (bits += size; bits >= 8; bits -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  };
  let table = new Map();
  let next = end + 1;
  put(clear);
  let current = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = current * 256 + indices[i];
    const known = table.get(key);
    if (known !== undefined) {
      current = known;
      continue;
    }
    put(current);
    if (next < 4096) {
      table.set(key, next++);
      if (next > 1 << size && size < 12) size++;
    } else {
      put(clear);
      table = new Map();
      next = end + 1;
      size = 9;
    }
    current = indices[i];
  }
  put(current);
  put(end);
  if (bits > 0) bytes.push(held & 255);
  const blocks = [Buffer.from([8])];
  for (let at = 0; at < bytes.length; at += 255)
    blocks.push(Buffer.from([Math.min(255, bytes.length - at), ...bytes.slice(at, at + 255)]));
  return Buffer.concat([...blocks, Buffer.from([0])]);
}
