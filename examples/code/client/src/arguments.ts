export type Command =
  | { readonly kind: 'watch'; readonly base: string }
  | { readonly kind: 'show'; readonly file: string }

/** The command line cannot be understood. */
export class UsageError extends Error {
  constructor() {
    super('usage: main.ts watch URL | main.ts show FRAMES.jsonl')
    this.name = 'UsageError'
  }
}

/** What the user asked for; throws UsageError. */
export function parseArguments(words: readonly string[]): Command {
  const [verb, operand, ...rest] = words
  if (operand === undefined || rest.length > 0) throw new UsageError()
  if (verb === 'watch' && URL.canParse(operand)) return { kind: 'watch', base: operand }
  if (verb === 'show') return { kind: 'show', file: operand }
  throw new UsageError()
}
