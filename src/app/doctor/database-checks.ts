import type { Config } from '../../config.ts';
import { DIFFERENT_DATABASES, whyNoDatabase } from '../../launcher/database-failure.ts';
import { must } from '../../shared/assert.ts';
import { CONNECTIONS } from '../../storage/connections.ts';
import { missingMigrations } from '../../storage/migrate.ts';
import { ping } from '../../storage/ping.ts';
import { isBehindPooler, isSameDatabase, whileOpen } from '../../storage/pooler.ts';
import { requireReadable } from '../../storage/release.ts';
import type { Check } from './check.ts';
import { type DatabaseFacts, selectFacts, selectVersion } from './queries.ts';

const OLDEST = 150_000;
const POSTGRES = 'postgres';

const databaseUrl = ({ databaseUrl: url }: Config) => must(url, 'it was just connected to');

const neededConnections = ({ roles, query }: Config): number =>
  roles
    .map((role) => CONNECTIONS[role] * (role === 'query' ? query.processes : 1))
    .reduce((sum, count) => sum + count, CONNECTIONS.admin);

const misfits = (facts: DatabaseFacts, config: Config): [string | false, string][] => [
  [
    facts.encoding !== 'UTF8' && `The database is encoded as ${facts.encoding}.`,
    "Make a new one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
  ],
  [
    facts.hasOldCollation &&
      `The system's collation changed since the database ${facts.name} was made: indexes on text may miss rows.`,
    'While the service is stopped: REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION.',
  ],
  [
    !facts.mayCreate && 'The role may not create tables in the schema public.',
    'Make the role of DATABASE_URL the owner: ALTER DATABASE … OWNER TO …',
  ],
  [
    facts.foreignTables > 0 && `${facts.foreignTables} tables belong to another role.`,
    'Give them to the role of DATABASE_URL: REASSIGN OWNED BY … TO …',
  ],
  [
    !facts.isDurable &&
      'fsync, full_page_writes or synchronous_commit is off: a power cut loses commits.',
    'Set fsync, full_page_writes and synchronous_commit to on.',
  ],
  [
    facts.connections < neededConnections(config) &&
      `It allows ${facts.connections} connections; this host opens up to ${neededConnections(config)}.`,
    'Raise max_connections, and the limits of role and database, for all hosts together.',
  ],
];

export const SCHEMA = 'schema';

export const DATABASE_CHECKS: readonly Check[] = [
  {
    name: POSTGRES,
    question: 'Does PostgreSQL answer and take writes?',
    cure: 'Start it, or correct DATABASE_URL (docs/deployment.md, What your own PostgreSQL must have).',
    find: async ({ servers, deps: { config, sql } }) =>
      servers.postgres
        ? ping(sql).then(
            () => [],
            (thrown: unknown) => [{ found: whyNoDatabase(databaseUrl(config), thrown) }],
          )
        : null,
  },
  {
    name: 'postgres-pooler',
    question: 'Is a pooler before PostgreSQL known?',
    severity: 'warning',
    cure: 'Leave DATABASE_POOLER out or set it to transaction, unless the pooler is in session mode.',
    after: POSTGRES,
    find: async ({ deps: { config, sql } }) => {
      if (!(await isBehindPooler(sql))) return [];
      return config.databasePooler === 'none'
        ? [{ found: 'DATABASE_URL leads to a pooler, and DATABASE_POOLER is none.' }]
        : 'A pooler stands before PostgreSQL; DATABASE_POOLER is transaction.';
    },
  },
  {
    name: 'postgres-direct',
    question: 'Does DATABASE_DIRECT_URL lead to PostgreSQL itself?',
    cure: 'Set DATABASE_DIRECT_URL to the address of the server, or leave it out.',
    after: POSTGRES,
    find: async ({ deps: { config, sql } }) => {
      const { databaseDirectUrl: url } = config;
      if (url === undefined) return null;
      const found = await whileOpen(url, async (direct) => {
        if (await isBehindPooler(direct)) return 'DATABASE_DIRECT_URL leads to a pooler.';
        return (await isSameDatabase(sql, direct)) ? null : DIFFERENT_DATABASES;
      }).catch((thrown: unknown) => whyNoDatabase(url, thrown, 'DATABASE_DIRECT_URL'));
      return found === null ? [] : [{ found }];
    },
  },
  {
    name: 'postgres-settings',
    question: 'Are version, encoding, collation, rights, durability and connections as needed?',
    cure: 'Use PostgreSQL 15 or later.',
    after: POSTGRES,
    find: async ({ deps: { config, sql } }) => {
      const { version, number } = await selectVersion(sql);
      if (number < OLDEST) return [{ found: `PostgreSQL is ${version}.` }];
      const found = misfits(await selectFacts(sql), config).flatMap(([one, cure]) =>
        one === false ? [] : [{ found: one, cure }],
      );
      return found.length > 0 ? found : version;
    },
  },
  {
    name: SCHEMA,
    question: 'Are the tables those of this release?',
    cure: 'Start the release that wrote them, or set DATABASE_URL to the database of this one.',
    after: POSTGRES,
    find: async ({ deps: { sql } }) => {
      await requireReadable(sql);
      return (await missingMigrations(sql)).length === 0 ? [] : null;
    },
  },
];
