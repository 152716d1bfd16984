/** What an import brings in. */
export interface ImportedModule {
  /** As written: `./store.ts`, `flask.json`, `crate::store`, `acme/store.h`. */
  module: string;
  /** Single names with what they are called here. */
  names: { name: string; local: string }[];
  /** What the module as a whole is called here; undefined when it has no name. */
  namespace?: string;
}

/** Longer statements are data; groups inside groups that are deeper than this are nobody's imports. */
const LONGEST_STATEMENT = 20_000;
const DEEPEST_GROUP = 20;

/** Reads one import statement's text. Unknown shapes give nothing. */
export function importsOf(language: string, statement: string): ImportedModule[] {
  const text = statement.slice(0, LONGEST_STATEMENT);
  switch (language) {
    case 'typescript':
    case 'typescriptreact':
    case 'javascript':
    case 'javascriptreact':
      return ecmaScript(text);
    case 'python':
      return python(text);
    case 'go':
      return go(text);
    case 'rust':
      return rust(text);
    case 'java':
    case 'kotlin':
      return dotted(text);
    case 'csharp':
      return csharp(text);
    case 'php':
      return php(text);
    case 'c':
    case 'cpp':
      return include(text);
    case 'swift':
      return [...text.matchAll(/\bimport\s+(?:\w+\s+)?([\w.]+)/g)].map((match) => ({
        module: match[1] ?? '',
        names: [],
      }));
    default:
      return [];
  }
}

function ecmaScript(text: string): ImportedModule[] {
  const module = /(?:\bfrom|^\s*import|\brequire\s*\()\s*(["'])([^"'\n]+)\1/.exec(text)?.[2];
  if (module === undefined) return [];
  const reexport = /^\s*export\b/.test(text);
  const clause = withoutComments(text.slice(0, text.lastIndexOf(module)));
  const names: ImportedModule['names'] = [];
  const brace = clause.indexOf('{');
  const end = brace < 0 ? -1 : clause.indexOf('}', brace);
  for (const part of end < 0 ? [] : clause.slice(brace + 1, end).split(',')) {
    const match = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part);
    if (match?.[1]) names.push({ name: match[1], local: match[2] ?? match[1] });
  }
  const namespace = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1];
  const standard = reexport ? undefined : /^\s*import\s+(?:type\s+)?([\w$]+)\s*(?:,|\bfrom\b)/.exec(clause)?.[1];
  if (standard && standard !== 'type') names.push({ name: standard, local: standard });
  return [{ module, names, ...(namespace ? { namespace } : {}) }];
}

function withoutComments(text: string): string {
  let clean = '';
  let kept = 0;
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', Math.max(at + 1, kept))) {
    const ending = text[at + 1] === '*' ? '*/' : text[at + 1] === '/' ? '\n' : undefined;
    if (ending === undefined) continue;
    const end = text.indexOf(ending, at + 2);
    clean += text.slice(kept, at);
    kept = end < 0 ? text.length : end + (ending === '\n' ? 0 : ending.length);
    if (end < 0) break;
  }
  return clean + text.slice(kept);
}

function python(text: string): ImportedModule[] {
  const clean = text.replace(/#.*$/gm, '').replace(/\\\n/g, ' ');
  const from = /^\s*from\s+([\w.]+)\s+import\b([^]*)$/.exec(clean);
  if (from) {
    const names = (from[2] ?? '')
      .replace(/[()]/g, '')
      .split(',')
      .flatMap((part) => {
        const match = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
        return match?.[1] ? [{ name: match[1], local: match[2] ?? match[1] }] : [];
      });
    return [{ module: from[1] ?? '', names }];
  }
  return clean
    .replace(/^\s*import\s+/, '')
    .split(',')
    .flatMap((part) => {
      const match = /^\s*([\w.]+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
      return match?.[1] ? [{ module: match[1], names: [], namespace: match[2] ?? match[1] }] : [];
    });
}

function go(text: string): ImportedModule[] {
  const match = /^\s*([\w.]+\s+)?["`]([^"`]+)["`]/.exec(text);
  if (!match?.[2]) return [];
  const alias = match[1]?.trim();
  const last =
    match[2]
      .split('/')
      .filter((part) => !/^v\d+$/.test(part))
      .at(-1) ?? match[2];
  return [
    {
      module: match[2],
      names: [],
      ...(alias === '_' || alias === '.' ? {} : { namespace: alias ?? last.replace(/^go-|[-.]go$/g, '') }),
    },
  ];
}

function rust(text: string): ImportedModule[] {
  const declared = /^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(text.trim())?.[1];
  if (declared) return [{ module: `self::${declared}`, names: [], namespace: declared }];
  const tree = /\buse\s+([^;]+);?/.exec(text)?.[1];
  return tree ? expandUse(tree.replace(/\s+/g, ' ').trim()) : [];
}

/** `a::{b, c::{d as e}}` to single paths. */
function expandUse(tree: string): ImportedModule[] {
  const found: ImportedModule[] = [];
  const waiting: { prefix: string; rest: string; depth: number }[] = [{ prefix: '', rest: tree, depth: 0 }];
  for (let next = waiting.pop(); next && found.length < 100; next = waiting.pop()) {
    const brace = next.rest.indexOf('{');
    if (brace >= 0 && next.depth >= DEEPEST_GROUP) continue;
    if (brace >= 0) {
      const inner = next.rest.slice(brace + 1, next.rest.lastIndexOf('}'));
      const prefix = next.prefix + next.rest.slice(0, brace).replace(/\s/g, '');
      for (const part of splitTop(inner)) waiting.push({ prefix, rest: part.trim(), depth: next.depth + 1 });
      continue;
    }
    const [path = '', alias] = next.rest.split(' as ');
    const full = (next.prefix + path.trim()).replace(/::self$/, '').replace(/::\*$/, '');
    const last = full.split('::').at(-1);
    if (!last) continue;
    const parent = full.split('::').slice(0, -1).join('::');
    if (path.trim().endsWith('*') || parent === '') found.push({ module: full, names: [], namespace: last });
    else found.push({ module: parent, names: [{ name: last, local: alias?.trim() ?? last }] });
  }
  return found;
}

function splitTop(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= list.length; i++) {
    if (list[i] === '{') depth += 1;
    if (list[i] === '}') depth -= 1;
    if (i !== list.length && (list[i] !== ',' || depth > 0)) continue;
    if (list.slice(start, i).trim() !== '') parts.push(list.slice(start, i));
    start = i + 1;
  }
  return parts;
}

function dotted(text: string): ImportedModule[] {
  const match = /\bimport\s+(static\s+)?([\w.]+)(\.\*)?(?:\s+as\s+(\w+))?/.exec(text);
  const full = match?.[2];
  if (!full) return [];
  const parts = full.split('.');
  const last = parts.at(-1) ?? full;
  if (match[3]) return [{ module: full, names: [] }];
  if (match[1]) return [{ module: parts.slice(0, -1).join('.'), names: [{ name: last, local: last }] }];
  return [{ module: full, names: [{ name: last, local: match[4] ?? last }] }];
}

function csharp(text: string): ImportedModule[] {
  const match = /\busing\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.]+)\s*;/.exec(text);
  return match?.[2] ? [{ module: match[2], names: [], ...(match[1] ? { namespace: match[1] } : {}) }] : [];
}

function php(text: string): ImportedModule[] {
  const file = /^\s*(?:require|include)(?:_once)?\b[^"']{0,200}["']([^"']{1,500})["']/.exec(text)?.[1];
  if (file) return [{ module: file.replace(/^\//, './'), names: [] }];
  const tree = /\buse\s+(?:function\s+|const\s+)?([^;]+);?/.exec(text)?.[1];
  if (!tree) return [];
  return expandUse(tree.replace(/\\/g, '::').replace(/\s+/g, ' ').trim()).map((found) => {
    const name = found.names[0];
    return name ? { module: `${found.module}::${name.name}`, names: found.names } : found;
  });
}

function include(text: string): ImportedModule[] {
  const module = /^\s*#\s*(?:include|import)\s*(?:"([^"\n]{1,500})"|<([^>\n]{1,500})>)/.exec(text);
  const name = module?.[1] ?? module?.[2];
  return name ? [{ module: module?.[1] ? name : `<${name}>`, names: [] }] : [];
}
