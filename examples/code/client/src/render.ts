import type { Board } from './board.ts'
import { gravest, type Severity } from './severity.ts'
import { sparkline } from './sparkline.ts'

/** Colour of a kiln's row on the board, by the gravest alarm of its latest frame. */
export const ROW_COLOUR: Readonly<Record<Severity, string>> = {
  page: 'red',
  warn: 'yellow',
  note: 'cyan',
}

const ANSI: Readonly<Record<string, number>> = { red: 31, yellow: 33, cyan: 36 }
const CURVE_WIDTH = 32

/** The whole board as text, a kiln a line; with colours only when asked for. */
export function renderBoard(board: Board, options: { readonly colour: boolean }): string {
  return board
    .kilns()
    .map((kiln) => renderRow(kiln, board, options.colour))
    .join('\n')
}

function renderRow(kiln: string, board: Board, colour: boolean): string {
  const history = board.historyOf(kiln)
  const latest = history.at(-1)
  if (latest === undefined) return kiln
  const curve = sparkline(history.map((frame) => frame.celsius), CURVE_WIDTH)
  const cells = [
    kiln.padEnd(8),
    `${latest.celsius.toFixed(1).padStart(7)} °C`,
    `of ${latest.target.toFixed(1).padStart(7)}`,
    curve.padEnd(CURVE_WIDTH),
    latest.alarms.join(' '),
  ]
  const line = cells.join('  ').trimEnd()
  const severity = gravest(latest.alarms)
  return colour && severity !== undefined ? `\u001b[${ANSI[ROW_COLOUR[severity]]}m${line}\u001b[0m` : line
}
