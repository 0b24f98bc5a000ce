/** Another number of rows was read than the catalogue, a footer or the sender says. */
export class MissingRows extends Error {
  override readonly name = 'MissingRows';
}

export function checkRows(read: number, stored: number, of: string): void {
  if (read !== stored) throw new MissingRows(`${read} rows of ${stored} were read of ${of}.`);
}
