// Decodes the lines that the service sends; the other end is service/kilnhouse/frames.py.
// Plain JavaScript, so that the contract test runs on any Node; its types are in frame.d.mts.

/** The only version of frames that this client reads; FRAME_VERSION is its twin in the service. */
export const SUPPORTED_FRAME_VERSION = 3

/** The service speaks another version of the wire format than this client. */
export class FrameVersionError extends Error {
  constructor(version) {
    super(`frame version ${version}, this board reads ${SUPPORTED_FRAME_VERSION}; update the older of the two`)
    this.name = 'FrameVersionError'
  }
}

/** A line that is no frame at all. */
export class FrameShapeError extends Error {
  constructor(line, options) {
    super(`not a frame: ${line.slice(0, 60)}`, options)
    this.name = 'FrameShapeError'
  }
}

/** One line to one frame; throws FrameShapeError or FrameVersionError. */
export function decodeFrame(line) {
  let raw
  try {
    raw = JSON.parse(line)
  } catch (cause) {
    throw new FrameShapeError(line, { cause })
  }
  if (typeof raw !== 'object' || raw === null) throw new FrameShapeError(line)
  if (raw.v !== SUPPORTED_FRAME_VERSION) throw new FrameVersionError(raw.v)
  const { seq, at, kiln, c, target, alarms } = raw
  const numbers = [seq, c, target].every((value) => Number.isFinite(value))
  if (!numbers || typeof at !== 'string' || typeof kiln !== 'string' || !Array.isArray(alarms)) {
    throw new FrameShapeError(line)
  }
  return { seq, at: new Date(`${at}Z`), kiln, celsius: c, target, alarms }
}

/** All frames of a body of JSON lines; blank lines are passed over. */
export function decodeFrames(body) {
  return body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(decodeFrame)
}
