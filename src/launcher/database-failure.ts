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

/** A pooler answers `08P01` for the failures of the server behind it. */
const FROM_POOLER: readonly [RegExp, string][] = [
  [/database .*does not exist|no such database/, '3D000'],
  [/authentication failed|no such user/, '28P01'],
];

function errorCode(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code !== '08P01') return code;
  return FROM_POOLER.find(([words]) => words.test(errorMessage(thrown)))?.[1] ?? code;
}

/** Never the password. */
export function whyNoDatabase(databaseUrl: string, thrown: unknown, name = 'DATABASE_URL'): string {
  const server = `PostgreSQL (${name}, ${toAddress(databaseUrl)})`;
  const reason = errorMessage(thrown).replace(/\.$/, '');
  const code = errorCode(thrown);
  const hint = HINTS[code]?.replace('DATABASE_URL', name);
  const isSettled = code === '3D000' || code === '28P01';
  if (isDatabaseUnavailable(thrown) && !isReadOnlyServer(thrown) && !isSettled) {
    return `${server} cannot be reached: ${reason}. ${hint ?? `Start it, or set ${name} to where it is.`}`;
  }
  return `${server} refused: ${reason}.${hint ? ` ${hint}` : ''}`;
}
