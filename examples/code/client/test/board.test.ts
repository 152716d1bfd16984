import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArguments, UsageError } from '../src/arguments.ts'
import { Board, BOARD_HISTORY } from '../src/board.ts'
import { waitSeconds } from '../src/feed.ts'
import type { Frame } from '../src/frame.mjs'
import { PAGE_REPEAT_SECONDS, Pager } from '../src/pager.ts'
import { renderBoard } from '../src/render.ts'
import { gravest, severityOf } from '../src/severity.ts'
import { sparkline } from '../src/sparkline.ts'

function frame(seq: number, alarms: readonly string[] = [], celsius = 500): Frame {
  return { seq, at: new Date(seq * 1000), kiln: 'ash', celsius, target: 500, alarms }
}

test('the board forgets the oldest frames', () => {
  const board = new Board()
  for (let seq = 1; seq <= BOARD_HISTORY + 4; seq += 1) board.add(frame(seq))
  assert.equal(board.historyOf('ash')[0]?.seq, 5)
  assert.equal(board.lastSeq, BOARD_HISTORY + 4)
})

test('a page is repeated, then goes to the second steward, until somebody acknowledges', () => {
  const pager = new Pager()
  const step = PAGE_REPEAT_SECONDS * 1000
  assert.deepEqual(pager.receive(frame(1, ['K-OVR', 'K-SIL']), 0), [{ kiln: 'ash', code: 'K-OVR', steward: 'first' }])
  assert.deepEqual(pager.receive(frame(2, ['K-OVR']), 1000), [])
  assert.deepEqual(pager.due(step - 1), [])
  assert.deepEqual([1, 2, 3].map((n) => pager.due(n * step)[0]?.steward), ['first', 'first', 'second'])
  pager.acknowledge('ash')
  assert.deepEqual(pager.due(9 * step), [])
})

test('the gravest alarm colours the row', () => {
  assert.equal(gravest(['K-STL', 'K-LID', 'K-SIL']), 'page')
  assert.equal(gravest([]), undefined)
  assert.equal(severityOf('K-NEW'), 'warn')
  const board = new Board()
  board.add(frame(1, ['K-SIL']))
  assert.match(renderBoard(board, { colour: true }), /^\u001b\[33mash .*K-SIL\u001b\[0m$/)
  assert.doesNotMatch(renderBoard(board, { colour: false }), /\u001b/)
})

test('failures make the board more patient', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 9].map(waitSeconds), [15, 15, 30, 60, 120, 120])
})

test('curve and command line', () => {
  assert.equal(sparkline([9, 0, 50, 100], 3), '▁▅█')
  assert.deepEqual(parseArguments(['show', 'frames.jsonl']), { kind: 'show', file: 'frames.jsonl' })
  assert.throws(() => parseArguments(['watch', 'nowhere']), UsageError)
})
