import type { DuckDBConnection } from '@duckdb/node-api';
import { createTextTable, personKeySql, readKeys } from '../event-store/read.ts';
import { loadTables } from './reading/duckdb/tables.ts';
import { type Members, memberKeys } from './reading/projection/members.ts';
import { type EventSource, selectEvents } from './reading/source/events.ts';
import { membersSql } from './segment/members.ts';
import { momentsSql } from './segment/moments.ts';
import { segmentColumns, segmentSelection } from './segment/needs.ts';
import { memberTables, ROW_COLUMNS } from './selection/member-sql.ts';
import type { Membership } from './selection/segment-rules.ts';
import type { AppSelection } from './selection/selection.ts';

const PEOPLE = 'people_of_membership';
const ALIASES = 'aliases_of_members';

type OfApp = Pick<EventSource, 'appId' | 'environment' | 'orgId'>;

/** As of events, all of them may be asked about. */
const selectionOf = (ofApp: OfApp, { asOf, ...rule }: Membership): AppSelection =>
  asOf === 'now'
    ? segmentSelection({ ...ofApp, ...rule })
    : { ...ofApp, ofClients: true, beforeUs: rule.beforeUs };

export function selectionOfPeople({
  orgId,
  appId,
  environment = 'production',
  beforeUs,
  memberships = [],
  traits = [],
}: AppSelection): AppSelection | null {
  const ofApp = { orgId, appId, environment };
  const selections = [
    ...memberships.map((one) => selectionOf(ofApp, one)),
    ...traits.map(
      (trait): AppSelection => ({
        ...ofApp,
        beforeUs: trait.kind === 'first' ? beforeUs : Math.max(beforeUs, trait.exposedBeforeUs),
      }),
    ),
  ];
  if (selections.length === 0) return null;
  return {
    ...ofApp,
    fromUs: Math.min(...selections.map(({ fromUs = 0 }) => fromUs)),
    beforeUs: Math.max(...selections.map(({ beforeUs }) => beforeUs)),
  };
}

/** Devices of the question's rows that have users by now. */
export async function loadDevices(
  connection: DuckDBConnection,
  { lateAliases }: EventSource,
): Promise<string> {
  await createTextTable(
    connection,
    ALIASES,
    {
      device: ({ anonymousId }: EventSource['lateAliases'][number]) => anonymousId,
      user_id: ({ userId }) => userId,
    },
    lateAliases,
  );
  return ALIASES;
}

/** Keys of members as rows of the question have them. */
async function tieToRows(
  connection: DuckDBConnection,
  source: EventSource,
  membership: string,
): Promise<void> {
  const { lateAliases } = source;
  const { named, anonymous } = memberTables(membership);
  const keys = `SELECT ${personKeySql('person')} AS person FROM ${PEOPLE}`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${named} AS ${keys}`);
  if (lateAliases.length === 0) {
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${anonymous} AS FROM ${named}`);
    return;
  }
  await loadDevices(connection, source);
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${anonymous} AS
    ${keys} WHERE person NOT IN (SELECT device FROM ${ALIASES})
    UNION ALL SELECT ${personKeySql('device')} FROM ${ALIASES} WHERE user_id IN (FROM ${PEOPLE})`);
}

type Sources = {
  /** Of all events that decide who is a member. */
  ofMembers: EventSource;
  ofQuestion: EventSource;
};

/** Tables that conditions of the question look into, and the same in memory for projections. */
export async function loadMembers(
  connection: DuckDBConnection,
  { ofMembers, ofQuestion }: Sources,
  memberships: readonly Membership[],
): Promise<Members> {
  await loadTables(connection, ofMembers, {
    columns: [...ROW_COLUMNS, ...memberships.flatMap(segmentColumns)],
  });
  const { orgId, appId, environment } = ofMembers;
  const found: Record<string, Members[string]> = {};
  for (const membership of memberships) {
    const events = selectEvents(ofMembers, selectionOf({ orgId, appId, environment }, membership));
    const { named, anonymous, moments } = memberTables(membership.id);
    if (membership.asOf === 'event') {
      const rows = momentsSql(events, membership.rules);
      await connection.run(`CREATE OR REPLACE TEMP TABLE ${moments} AS ${rows}`);
      continue;
    }
    const people = await membersSql({ ...events, connection }, membership);
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${PEOPLE} AS SELECT person FROM (${people})`,
    );
    await tieToRows(connection, ofQuestion, membership.id);
    found[membership.id] = memberKeys(
      await readKeys(connection, `FROM ${named}`),
      await readKeys(connection, `FROM ${anonymous}`),
    );
  }
  return found;
}
