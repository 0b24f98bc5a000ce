/** A Markdown table, its columns as wide as the formatter wants them. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head, ...body] = rows.map((row) =>
    line(widths.map((width, column) => (row[column] ?? '').padEnd(width))),
  );
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}
