/** Texts, quoted names and comments, in which a dollar means nothing. */
const ASIDE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
const PARAMETER = /\$([A-Za-z_]\w*|\d+)/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

export type Value = string | number | boolean | null;

export function parametersIn(text: string): string[] {
  const found = text.replaceAll(ASIDE, ' ').matchAll(PARAMETER);
  return [...new Set([...found].map(([, name = '']) => name))];
}

/** Digits are a number, nothing is null. */
export function toValue(typed: string): Value {
  if (typed === '') return null;
  return NUMBER.test(typed) && Number.isFinite(Number(typed)) ? Number(typed) : typed;
}

export const toTyped = (value: Value | undefined): string =>
  value === null || value === undefined ? '' : String(value);
