export function textLiteral(text: string): string {
  if (text.includes('\u0000')) throw new Error('A NUL cannot stand in a query.');
  return `'${text.replaceAll("'", "''")}'`;
}

export function textList(texts: readonly string[]): string {
  return texts.map(textLiteral).join(', ');
}

export function instantLiteral(microseconds: number): string {
  if (!Number.isSafeInteger(microseconds)) throw new Error(`No instant: ${microseconds}`);
  return `make_timestamptz(${microseconds}::BIGINT)`;
}
