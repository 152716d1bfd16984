let bundle: Readonly<Record<string, string>> = {};

/** Takes the translations of the editor's language; without them the English texts stand. */
export function useTranslations(translations: Readonly<Record<string, string>>): void {
  bundle = translations;
}

/** The text in the editor's language, with `{0}`, `{1}`, … replaced. The English text is the key, as in vscode.l10n. */
export function t(message: string, ...values: (string | number)[]): string {
  const text = bundle[message] ?? message;
  return text.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}
