import { type EnvironmentScope, isInScope } from '../../shared/environment.ts';

/** What the catalogue says of a file's rows of one app, as counting needs it. */
export type FileFacts = { minOccurredAt: Date; maxOccurredAt: Date; developmentRows: number };

type Scoped = { environment: EnvironmentScope };

/** Whether all rows of the app in a file occurred in the window of the selection. */
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

/** Whether the environment includes rows of production or of development. */
export const inScope = (environment: EnvironmentScope, row: { isDevelopment: boolean }): boolean =>
  isInScope(row.isDevelopment ? 'development' : 'production', environment);

/** Whether the catalogue's counts of a file, which are of production, answer for the source. */
export function isCounted(
  { environment }: Scoped,
  { developmentRows }: Pick<FileFacts, 'developmentRows'>,
): boolean {
  return environment === 'production' || (environment === 'all' && developmentRows === 0);
}
