export interface Frame {
  readonly seq: number
  /** Studio time, held as if it were UTC. */
  readonly at: Date
  readonly kiln: string
  readonly celsius: number
  readonly target: number
  readonly alarms: readonly string[]
}

export declare const SUPPORTED_FRAME_VERSION: 3
export declare class FrameVersionError extends Error {
  constructor(version: unknown)
}
export declare class FrameShapeError extends Error {
  constructor(line: string, options?: ErrorOptions)
}
export declare function decodeFrame(line: string): Frame
export declare function decodeFrames(body: string): Frame[]
