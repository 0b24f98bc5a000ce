/** A DuckDB string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
