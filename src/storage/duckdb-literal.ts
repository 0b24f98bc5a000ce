/** 9999-12-31. */
const MAX_INSTANT_US = 253_402_214_400_000_000;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Queries hold no NUL, values do. */
export const textLiteral = (text: string): string =>
  text.includes('\u0000')
    ? `(${text.split('\u0000').map(quoted).join(' || chr(0) || ')})`
    : quoted(text);

export function textList(texts: readonly string[]): string {
  return texts.map(textLiteral).join(', ');
}

/** Beyond the year 2255 to the nearest that a number holds. */
export function instantLiteral(microseconds: number): string {
  if (!Number.isInteger(microseconds) || Math.abs(microseconds) > MAX_INSTANT_US)
    throw new Error(`No instant: ${microseconds}`);
  return `make_timestamptz(${microseconds}::BIGINT)`;
}
