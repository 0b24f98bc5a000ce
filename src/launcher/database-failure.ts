import { errorMessage } from '../shared/errors.ts';
import { isDatabaseUnavailable, isReadOnlyServer } from '../storage/postgres.ts';

const HINTS: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in DATABASE_URL.',
  '28000': 'Check the user in DATABASE_URL, and pg_hba.conf on the server.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '42501': 'The user in DATABASE_URL must own the database.',
  '25006': 'Set DATABASE_URL to the primary, or end its read-only state.',
  '08P01': 'Behind a pooler leave DATABASE_POOLER out, or set it to transaction.',
  ENOTFOUND: 'Check the host name in DATABASE_URL.',
};

export const DIFFERENT_DATABASES =
  'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases. Set DATABASE_DIRECT_URL to the server and database behind the pooler, or leave it out.';

function toAddress(databaseUrl: string): string {
  const { hostname, port } = new URL(databaseUrl);
  return `${hostname}:${port || 5432}`;
}

function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

/** Never the password. */
export function whyNoDatabase(databaseUrl: string, thrown: unknown, name = 'DATABASE_URL'): string {
  const server = `PostgreSQL (${name}, ${toAddress(databaseUrl)})`;
  const reason = errorMessage(thrown).replace(/\.$/, '');
  const hint = HINTS[errorCode(thrown)]?.replace('DATABASE_URL', name);
  if (isDatabaseUnavailable(thrown) && !isReadOnlyServer(thrown)) {
    return `${server} cannot be reached: ${reason}. ${hint ?? `Start it, or set ${name} to where it is.`}`;
  }
  return `${server} refused: ${reason}.${hint ? ` ${hint}` : ''}`;
}
