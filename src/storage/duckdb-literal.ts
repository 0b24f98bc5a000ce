/** 9999-12-31. */
const MAX_INSTANT_US = 253_402_214_400_000_000;

export function textLiteral(text: string): string {
  if (text.includes('\u0000')) throw new Error('A NUL cannot stand in a query.');
  return `'${text.replaceAll("'", "''")}'`;
}

export function textList(texts: readonly string[]): string {
  return texts.map(textLiteral).join(', ');
}

/** Beyond the year 2255 to the nearest that a number holds. */
export function instantLiteral(microseconds: number): string {
  if (!Number.isInteger(microseconds) || Math.abs(microseconds) > MAX_INSTANT_US)
    throw new Error(`No instant: ${microseconds}`);
  return `make_timestamptz(${microseconds}::BIGINT)`;
}
