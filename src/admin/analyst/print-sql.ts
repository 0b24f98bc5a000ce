import type { Deps } from '../../context.ts';
import { EVENT_COLUMN_NAMES_SQL, EVENT_TABLE_SQL, inSnapshot } from '../../event-store/read.ts';
import { VIEWS } from '../../modules/sql/index.ts';
import { RECORDS, selectOrganizationFiles } from '../../sql/queries.ts';
import { eventViews, ownRowsSql } from '../../sql/view.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { findOrganization } from '../organization.ts';

const MAPS = {
  late_aliases: 'SELECT app_id, anonymous_id, user_id FROM event_people WHERE org_id = $1',
  erased_people: `SELECT app_id, CASE WHEN erased_as = 'device' THEN '' ELSE subject END AS id,
      CASE WHEN erased_as = 'person' THEN '' ELSE subject END AS device FROM event_erasures
    WHERE org_id = $1 AND subject IS NOT NULL`,
} as const;

/** Without the password, which libpq reads from PGPASSWORD. */
function toAddress(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = '';
  return url.href;
}

function records(name: keyof typeof RECORDS, query: string): string {
  const columns = VIEWS[name].columns.map((each) => `${each.name}::${each.type} AS ${each.name}`);
  return `CREATE OR REPLACE VIEW ${name} AS SELECT ${columns.join(', ')} FROM ${query};`;
}

export async function printSql(
  { config, objects, sql }: Pick<Deps, 'config' | 'objects' | 'sql'>,
  org: string,
): Promise<string> {
  const { id: orgId, name } = await findOrganization(sql, org);
  const files = await inSnapshot(sql, (tx) => selectOrganizationFiles(tx, orgId));
  const readable = await Promise.all(
    files.map(async ({ path, format }) => ({
      path: objects.isRemote ? `${config.events.url}/${path}` : await objects.localPath(path),
      format,
    })),
  );
  const query = (text: string) =>
    `postgres_query('control_plane', ${textLiteral(text.replaceAll('$1', textLiteral(orgId)))})`;
  const rows =
    readable.length === 0
      ? `SELECT ${EVENT_COLUMN_NAMES_SQL} FROM no_events`
      : ownRowsSql(orgId, readable);
  const { events, people, exposures } = eventViews(rows);
  return [
    `-- ${name.replaceAll(/\s+/g, ' ')} for DuckDB 1.1 or later. PGPASSWORD has to hold the password of the database;`,
    '-- files are named as of now: print this anew when one is missing.',
    ...(objects.isRemote
      ? ['-- The bucket needs CREATE SECRET (TYPE s3, …) and INSTALL httpfs.']
      : []),
    'INSTALL postgres; LOAD postgres;',
    `ATTACH ${textLiteral(toAddress(config.databaseUrl ?? ''))} AS control_plane (TYPE postgres, READ_ONLY);`,
    "SET timezone = 'UTC';",
    `CREATE OR REPLACE TABLE no_events ${EVENT_TABLE_SQL};`,
    ...Object.entries(MAPS).map(
      ([map, text]) => `CREATE OR REPLACE TEMP TABLE ${map} AS FROM ${query(text)};`,
    ),
    records('apps', query(RECORDS.apps)),
    records('sales', query(RECORDS.sales)),
    records('purchases', query(RECORDS.purchases)),
    records('subscriptions', query(RECORDS.subscriptions)),
    records('entitlements', query(RECORDS.entitlements)),
    `CREATE OR REPLACE TEMP VIEW events AS ${events};`,
    `CREATE OR REPLACE TEMP VIEW people AS ${people};`,
    `CREATE OR REPLACE TEMP VIEW exposures AS ${exposures};`,
  ].join('\n');
}
