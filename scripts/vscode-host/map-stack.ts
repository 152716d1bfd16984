import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { repositoryRoot } from './locations.ts';

const maps = new Map<string, SourceMap | undefined>();

function inlineMap(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    const encoded = existsSync(file)
      ? /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)/.exec(readFileSync(file, 'utf8'))?.[1]
      : undefined;
    maps.set(
      file,
      encoded === undefined ? undefined : new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))),
    );
  }
  return maps.get(file);
}

/**
 * Rewrites places in bundles to places in sources. VS Code formats stacks itself, so Node's own source map support is
 * not heard.
 */
export function mapStack(stack: string): string {
  return stack.replace(
    /([^\s():]+\.cjs):(\d+):(\d+)/g,
    (place: string, named: string, line: string, column: string) => {
      const file = path.resolve(repositoryRoot, named); // Mocha has made it relative to the repository
      const origin = inlineMap(file)?.findOrigin(Number(line), Number(column));
      if (origin === undefined || !('fileName' in origin)) return place;
      return `${path.resolve(path.dirname(file), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
    },
  );
}
