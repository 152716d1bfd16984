import { expression } from '#base';
import type { ReadSentence } from './read-units.ts';

/** What a thing may be called beside its name: `the Session class`. */
const SORT =
  '(?: (?:class|type|struct|interface|trait|enum|protocol|module|function|method|func|macro|decorator|constant|' +
  'variable|option|hook|component))?';
const NAME = String.raw`[\x60'"]?(?<name>[\p{L}_$@](?:[\p{L}\p{N}_$.:#]*[\p{L}\p{N}_$])?)(?:\(\))?[\x60'"]?`;
/** `What is a SugaredLogger?`, `What does debounce do?`, `Explain the Session class`, and the name alone. */
const ASKS_MEANING = [
  new RegExp(String.raw`^(?:what(?: is|['’]s| are) )(?:an? |the )?${NAME}${SORT}(?: (?:used )?for)?[?.! ]*$`, 'iu'),
  new RegExp(String.raw`^what (?:does|do) (?:an? |the )?${NAME}${SORT} (?:do|mean)[?.! ]*$`, 'iu'),
  new RegExp(String.raw`^(?:please )?(?:explain|describe|define) (?:an? |the )?${NAME}${SORT}[?.! ]*$`, 'iu'),
  new RegExp(String.raw`^(?:the )?${NAME}${SORT}[?.! ]*$`, 'iu'),
];

/**
 * The name whose meaning a question asks for; undefined where it asks for something else, or for a word that is no
 * name by its looks: `What is a logger?`
 */
export function explainedName(question: string): string | undefined {
  for (const pattern of ASKS_MEANING) {
    const name = pattern.exec(question.trim())?.groups?.['name'];
    if (name !== undefined) return /[\p{Lu}_$.:#@]/u.test(name) || /[\x60(]/u.test(question) ? name : undefined;
  }
  return undefined;
}

const DECLARES = expression('u')`
  \b(?:(?:enum +)?class|interface|struct|enum|trait|type|protocol|object|module|namespace|record|union|actor|mod|
    def|fn|func|function|fun)\*? +(?:\([^()\n]{0,80}\) *)?(?:self\.)?(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|
  \b(?:const|let|var|val|static) +(?:mut +)?(?<value>[\p{L}_$][\p{L}\p{N}_$]*) *[:=]
`;
/** A property with its type or value: `readonly limit?: number`, `pub limit: usize`. */
const PROPERTY = expression('u')`
  ^(?:(?:public|private|protected|internal|readonly|static|final|pub|override|abstract|val|var) {1,3}){0,4}
  (?<name>[\p{L}_$][\p{L}\p{N}_$]{0,80})[?!]? ?[:=](?![:=])
`;
/** Languages that declare a function by its name alone: `void open(String path)`. */
const CALLABLE = /(?<![\p{L}\p{N}_$])(?<name>[\p{L}_$~][\p{L}\p{N}_$]{0,80})(?:<[^<>\n]{0,80}>)? {0,3}\(/u;

/** What a head declares, or the innermost of several: `class Session › def get(self)` declares `get`. */
function declaredIn(head: string): string | undefined {
  const inner = head.split(' › ').at(-1) ?? head;
  const [line = ''] = inner.trim().split('\n', 1);
  const declared = DECLARES.exec(line)?.groups;
  return declared?.['name'] ?? declared?.['value'] ?? (PROPERTY.exec(line) ?? CALLABLE.exec(line))?.groups?.['name'];
}

/** Ends of a name that are written in several ways: `Session.get`, `Session::get`, `Session#get`. */
const partsOf = (name: string): string[] => name.split(/[.:#]+/u).filter((part) => part !== '');

/**
 * Of units of programs those that say what a name is: how the comment of its declaration begins, or where none has a
 * comment, the declaration itself. Empty where none is among them.
 */
export function definitionsOf<U extends Pick<ReadSentence, 'kind' | 'text' | 'context' | 'profile' | 'sentence'>>(
  name: string,
  units: readonly U[],
): Set<U> {
  const [own, ...above] = partsOf(name).reverse();
  const called = units.filter(
    ({ kind, text, context, profile }) =>
      profile.isCode &&
      (kind === 'comment' || kind === 'signature') &&
      declaredIn(kind === 'signature' ? text : (context?.text ?? '')) === own,
  );
  // What stands before a name may be a package that no path names.
  const inside = called.filter(({ profile: { passage } }) =>
    above.every((part) => passage.title.includes(part) || passage.path.includes(part)),
  );
  const declares = inside.length > 0 ? inside : called;
  const beginnings = new Map<string, U>();
  for (const unit of declares.filter(({ kind }) => kind === 'comment')) {
    const key = `${unit.profile.passage.id} ${unit.context?.text}`;
    const before = beginnings.get(key);
    if (!before || unit.sentence.start < before.sentence.start) beginnings.set(key, unit);
  }
  return new Set(beginnings.size > 0 ? beginnings.values() : declares);
}
