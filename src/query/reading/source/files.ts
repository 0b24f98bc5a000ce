import { type EnvironmentScope, isInScope } from '../../../shared/environment.ts';

export type FileFacts = { minOccurredAt: Date; maxOccurredAt: Date; developmentRows: number };

type Scoped = { environment: EnvironmentScope };

export function isInside(
  { minOccurredAt, maxOccurredAt }: Omit<FileFacts, 'developmentRows'>,
  { fromUs = -Infinity, beforeUs = Infinity }: { fromUs?: number; beforeUs?: number },
): boolean {
  return minOccurredAt.getTime() * 1_000 >= fromUs && maxOccurredAt.getTime() * 1_000 <= beforeUs;
}

export const hasAny = (
  { environment }: Scoped,
  { developmentRows }: Pick<FileFacts, 'developmentRows'>,
): boolean => environment !== 'development' || developmentRows > 0;

export const inScope = (environment: EnvironmentScope, row: { isDevelopment: boolean }): boolean =>
  isInScope(row.isDevelopment ? 'development' : 'production', environment);

export function rowsInScope(
  { environment }: Scoped,
  { rows, developmentRows }: { rows: number; developmentRows: number },
): number {
  if (environment === 'all') return rows;
  return environment === 'development' ? developmentRows : rows - developmentRows;
}

/** The catalogue counts production. */
export function isCounted(
  { environment }: Scoped,
  { developmentRows }: Pick<FileFacts, 'developmentRows'>,
): boolean {
  return environment === 'production' || (environment === 'all' && developmentRows === 0);
}
