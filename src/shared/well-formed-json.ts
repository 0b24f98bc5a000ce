/** Backslashes that escape one another, then halves of surrogate pairs, together or alone. */
const ESCAPES =
  /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2})/g;
const LONE_LENGTH = '\\ud800'.length;

/** Databases refuse the escapes of lone surrogates: each becomes U+FFFD. */
export const toWellFormedJson = (json: string): string =>
  json.includes('\\ud') || json.includes('\\uD')
    ? json.replaceAll(ESCAPES, (found) => (found.length === LONE_LENGTH ? '\ufffd' : found))
    : json;

/** Without lone surrogates in values and names; names that become alike are one. */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value);
  const text = toWellFormedJson(json);
  return text === json ? json : JSON.stringify(JSON.parse(text));
}

/** Whether `jsonb` refuses it: it holds neither NUL nor lone surrogates. */
export const isRefusedByJsonb = (value: unknown): boolean => {
  const json = JSON.stringify(value ?? null);
  return json !== toWellFormedJson(json) || json.replaceAll('\\\\', '').includes('\\u0000');
};
