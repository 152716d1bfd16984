/**
 * `calloc(0, 4)`, as compiled: the constants 0 and 4, the call of the first imported function, the end of the function.
 * The scanner of Swift's grammar (tree-sitter-swift up to 0.7.1, `tree_sitter_swift_external_scanner_create`) asks so
 * for room for its four bytes.
 */
const NO_ROOM = Uint8Array.of(0x41, 0x00, 0x41, 0x04, 0x10, 0x00, 0x0b);
const PLACE_OF_COUNT = 1;

/**
 * The grammar's bytes as they should be. Its scanner gets no room for its state, so that it begins with whatever the
 * heap held there: after any other text it may take itself to be inside a raw string and look for its end at each
 * character, seconds long. Here it gets its room, set to zero.
 * @throws when the place is not there exactly once
 */
export function mendGrammar(bytes: Uint8Array): Uint8Array {
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = found.indexOf(NO_ROOM);
  const second = found.indexOf(NO_ROOM, first + 1);
  if (first < 0 || second >= 0) throw new Error('the swift grammar is not the one that its mend was made for');
  const mended = Uint8Array.from(bytes);
  mended[first + PLACE_OF_COUNT] = 1;
  return mended;
}
