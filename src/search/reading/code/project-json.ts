/** JSON with comments and commas at the end of lists; undefined for what is none. */
export function lenientJson(text: string): unknown {
  const clean = withoutComments(text).replace(/,(?=\s{0,200}[}\]])/g, '');
  try {
    return JSON.parse(clean);
  } catch {
    return undefined;
  }
}

function withoutComments(text: string): string {
  let clean = '';
  let kept = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const two = text.slice(at, at + 2);
    if (inString && text[at] === '\\') at += 1;
    else if (text[at] === '"') inString = !inString;
    else if (!inString && (two === '//' || two === '/*')) {
      const end = text.indexOf(two === '//' ? '\n' : '*/', at + 2);
      clean += text.slice(kept, at);
      kept = end < 0 ? text.length : two === '//' ? end : end + 2;
      at = kept - 1;
    }
  }
  return clean + text.slice(kept);
}
