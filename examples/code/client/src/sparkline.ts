const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** A curve one line high, of at most `width` characters; the newest value is on the right. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width)
  const low = Math.min(...shown)
  const span = Math.max(...shown) - low
  return shown.map((value) => BARS[span === 0 ? 0 : Math.round(((value - low) / span) * (BARS.length - 1))]).join('')
}
