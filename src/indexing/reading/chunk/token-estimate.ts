/**
 * A cheap guess at the tokens of a text (within about a quarter for English prose and code), for deciding how to cut.
 * What is decided is checked against the real tokenizer afterwards.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || (code >= 0xc0 && code < 0x2e80)) {
      run += 1;
      continue;
    }
    if (run > 0) {
      tokens += tokensOfRun(run);
      run = 0;
    }
    if (code > 32) tokens += code >= 0xac00 && code <= 0xd7a3 ? 2 : 1;
  }
  return run > 0 ? tokens + tokensOfRun(run) : tokens;
}

function tokensOfRun(length: number): number {
  if (length <= 4) return 1;
  return length <= 9 ? 1.3 : length / 4.2;
}

/** No tokenizer that we know makes more tokens of a text than it has UTF-8 bytes. */
export function mostTokens(text: string): number {
  return Buffer.byteLength(text, 'utf8') + 2;
}
