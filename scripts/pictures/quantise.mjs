/**
 * Reduces a picture to few colours in a browser page, which can read PNG: the commonest colour of each bucket of
 * similar ones.
 * @param {import('playwright-core').Page} page any page; it is not changed
 * @param {Buffer} png
 * @param {{ width?: number, colours?: number }} [options] scaled to this width, as it is when undefined; colours at
 *   most
 * @returns {Promise<{ width: number, height: number, palette: number[][], pixels: Buffer }>} `pixels` are indices into
 *   the palette, row by row
 */
export async function quantise(page, png, { width, colours = 256 } = {}) {
  const result = await page.evaluate(
    async ([source, wanted, most]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const scale = wanted === null ? 1 : wanted / image.naturalWidth;
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(image.naturalWidth * scale);
      canvas.height = Math.round(image.naturalHeight * scale);
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const counts = new Map();
      for (let i = 0; i < data.length; i += 4) {
        const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      // Commonest first; a colour closer than `near` to one that is in is drawn as that one. Widened until they are few
      // enough.
      const common = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
      const distance = (a, b) =>
        Math.abs((a >> 16) - (b >> 16)) +
        Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) +
        Math.abs((a & 255) - (b & 255));
      let palette = [];
      for (let near = 0; ; near += 6) {
        palette = [];
        for (const colour of common) {
          if (near === 0 || !palette.some((other) => distance(other, colour) < near)) palette.push(colour);
          if (palette.length > most) break;
        }
        if (palette.length <= most) break;
      }
      const indexOf = new Map();
      for (const colour of common) {
        let best = 0;
        for (let i = 1; i < palette.length; i++)
          if (distance(palette[i], colour) < distance(palette[best], colour)) best = i;
        indexOf.set(colour, best);
      }
      let pixels = '';
      for (let i = 0; i < data.length; i += 4)
        pixels += String.fromCharCode(indexOf.get((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]));
      return {
        width: canvas.width,
        height: canvas.height,
        palette: palette.map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
        pixels: btoa(pixels),
      };
    },
    [png.toString('base64'), width ?? null, colours],
  );
  return { ...result, pixels: Buffer.from(result.pixels, 'base64') };
}
