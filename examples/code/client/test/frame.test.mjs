import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { decodeFrame, decodeFrames, FrameShapeError, FrameVersionError, SUPPORTED_FRAME_VERSION } from '../src/frame.mjs'

const beside = (path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
const line = '{"v":3,"seq":7,"at":"2024-11-08T10:00:00","kiln":"ash","c":442.5,"target":420.0,"alarms":["K-OVR"]}'

test('a line becomes a frame', () => {
  assert.deepEqual(decodeFrame(line), {
    seq: 7,
    at: new Date('2024-11-08T10:00:00Z'),
    kiln: 'ash',
    celsius: 442.5,
    target: 420,
    alarms: ['K-OVR'],
  })
})

test('another version is refused by name', () => {
  assert.throws(() => decodeFrame(line.replace('"v":3', '"v":2')), FrameVersionError)
})

test('what is no frame is refused', () => {
  for (const bad of ['', 'null', '[]x', '{"v":3}', line.replace('442.5', '"hot"')]) {
    assert.throws(() => decodeFrame(bad), FrameShapeError)
  }
})

test('every recorded frame of the service can be read, numbered without a gap', async () => {
  const frames = decodeFrames(await beside('data/frames.sample.jsonl'))
  assert.deepEqual(frames.map((frame) => frame.seq), frames.map((_, index) => index + 1))
  assert.deepEqual(new Set(frames.flatMap((frame) => frame.alarms)), new Set(['K-OVR', 'K-STL', 'K-SIL', 'K-LID']))
})

test('both ends agree on the version', async () => {
  const source = await beside('service/kilnhouse/frames.py')
  assert.equal(Number(/^FRAME_VERSION = (\d+)$/m.exec(source)?.[1]), SUPPORTED_FRAME_VERSION)
})
