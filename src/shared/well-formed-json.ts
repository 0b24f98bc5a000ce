/** Escaped backslashes, pairs and lone surrogates. */
const ESCAPES =
  /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[dD][89a-fA-F][\da-fA-F]{2})/g;
const LONE_LENGTH = '\\ud800'.length;

/** Databases refuse lone surrogates. */
export const toWellFormedJson = (json: string): string =>
  json.includes('\\ud') || json.includes('\\uD')
    ? json.replaceAll(ESCAPES, (found) => (found.length === LONE_LENGTH ? '\ufffd' : found))
    : json;

/** Parsed again: names may have become the same. */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value);
  const text = toWellFormedJson(json);
  return text === json ? json : JSON.stringify(JSON.parse(text));
}

/** NUL or lone surrogates. */
export const isRefusedByJsonb = (value: unknown): boolean => {
  const json = JSON.stringify(value ?? null);
  return json !== toWellFormedJson(json) || json.replaceAll('\\\\', '').includes('\\u0000');
};
