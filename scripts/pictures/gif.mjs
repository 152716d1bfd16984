import gifenc from 'gifenc';

/** The one of 256 entries that no palette uses, drawn as nothing. */
const TRANSPARENT = 255;

/**
 * An animated GIF that repeats for ever. Frames are of one size, each with its own palette; a pixel that is as in the
 * frame before is left transparent, which compresses well.
 * @param {{ width: number, height: number, palette: number[][], pixels: Buffer, seconds: number }[]} frames palettes of
 *   255 colours at most
 */
export function gif(frames) {
  const encoder = gifenc.GIFEncoder();
  let before;
  for (const { width, height, palette, pixels, seconds } of frames) {
    const colours = palette.map(([red, green, blue]) => (red << 16) | (green << 8) | blue);
    const drawn = Uint8Array.from(pixels, (index, at) => (before?.[at] === colours[index] ? TRANSPARENT : index));
    before = Int32Array.from(pixels, (index) => colours[index]);
    const full = [...palette, ...Array.from({ length: 256 - palette.length }, () => [0, 0, 0])];
    encoder.writeFrame(drawn, width, height, {
      palette: full,
      delay: Math.round(seconds * 1000),
      transparent: true,
      transparentIndex: TRANSPARENT,
      dispose: 1, // what was drawn stays
    });
  }
  encoder.finish();
  return Buffer.from(encoder.bytes());
}
