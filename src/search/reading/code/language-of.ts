import type { CodeLanguage } from './code-language.ts';
import { codeLanguages } from './code-languages.ts';

/** By id; a language without a grammar here is resolved as the one that says so (`resolvesFor`). */
const BY_ID: ReadonlyMap<string, CodeLanguage> = new Map(
  codeLanguages.flatMap((language) => [language.id, ...(language.resolvesFor ?? [])].map((id) => [id, language])),
);
const FAMILIES = new Map([...BY_ID].map(([id, { id: own, family = own }]) => [id, family]));

/** The language that a file's names and imports are resolved by; undefined for one that is no program's. */
export const codeLanguageOf = (id: string): CodeLanguage | undefined => BY_ID.get(id);

/** Languages of one family use one another's names. */
export const familyOf = (id: string): string => FAMILIES.get(id) ?? id;
