const NAMES: Readonly<Record<string, string>> = { slug: 'short name', email: 'e-mail address' };

const wordsOf = (field: string): string =>
  NAMES[field] ?? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Where the service names field and rule apart. */
export function errorSentence(error: {
  code: string;
  message: string;
  hint?: string | undefined;
}): {
  message: string;
  hint: string | undefined;
} {
  const { code, message, hint } = error;
  const rule = /^([a-z]\w*): ((?:is|must|may|has|cannot|makes) .+?)\.?$/.exec(hint ?? '');
  if (code !== 'invalid_input' || !rule) return { message, hint };
  const [, field = '', said = ''] = rule;
  return { message: `The ${wordsOf(field)} ${said}.`, hint: undefined };
}
