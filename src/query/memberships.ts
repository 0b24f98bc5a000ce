import type { DuckDBConnection } from '@duckdb/node-api';
import { createTextTable, personKeySql, readKeys } from '../event-store/read.ts';
import { type FindingRun, projectedMembers } from './projected-members.ts';
import { loadTables } from './reading/duckdb/tables.ts';
import { openedFor } from './reading/projection/held.ts';
import {
  keyTexts,
  type MemberKeys,
  type Members,
  memberKeys,
} from './reading/projection/members.ts';
import type { Needs } from './reading/run.ts';
import { type EventSource, selectEvents } from './reading/source/events.ts';
import { heldForMembers } from './segment/counted.ts';
import { membersSql, momentsSql } from './segment/members.ts';
import { segmentColumns, segmentSelection } from './segment/needs.ts';
import { tiedMembers } from './segment/tied-members.ts';
import { memberTables, ROW_COLUMNS } from './selection/member-sql.ts';
import type { Membership } from './selection/segment-rules.ts';
import type { AppSelection } from './selection/selection.ts';

const PEOPLE = 'people_of_membership';
const ALIASES = 'aliases_of_members';
const KEYS = 'keys_of_members';

type OfApp = Pick<EventSource, 'appId' | 'environment' | 'orgId'>;

const toSelection = (ofApp: OfApp, { asOf, ...rule }: Membership): AppSelection =>
  asOf === 'now'
    ? segmentSelection({ ...ofApp, ...rule })
    : { ...ofApp, ofClients: true, beforeUs: rule.beforeUs };

export function selectionOfPeople({
  orgId,
  appId,
  environment = 'production',
  memberships = [],
}: AppSelection): AppSelection | null {
  const ofApp = { orgId, appId, environment };
  const selections = memberships.map((one) => toSelection(ofApp, one));
  if (selections.length === 0) return null;
  return {
    ...ofApp,
    fromUs: Math.min(...selections.map(({ fromUs = 0 }) => fromUs)),
    beforeUs: Math.max(...selections.map(({ beforeUs }) => beforeUs)),
  };
}

export function memberNeeds(memberships: readonly Membership[]): Needs {
  const opened = memberships.map((membership) => openedFor(heldForMembers(membership)));
  return {
    columns: [],
    counts: true,
    projections: opened.some(({ projections }) => projections),
    properties: [...new Set(opened.flatMap(({ properties }) => properties))],
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
  ofMembers: EventSource;
  ofQuestion: EventSource;
};

export type FoundMembers = {
  members: Members;
  load: () => Promise<void>;
};

async function loadKeys(
  connection: DuckDBConnection,
  membership: string,
  keys: MemberKeys,
): Promise<void> {
  const tables = memberTables(membership);
  for (const on of ['named', 'anonymous'] as const) {
    await createTextTable(connection, KEYS, { person: (key: string) => key }, keyTexts(keys, on));
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${tables[on]} AS SELECT person::UUID AS person FROM ${KEYS}`,
    );
  }
}

/** By projections where they know, else by DuckDB. */
export async function findMembers(
  run: FindingRun,
  { ofMembers, ofQuestion }: Sources,
  memberships: readonly Membership[],
): Promise<FoundMembers> {
  const { connection } = run;
  const { orgId, appId, environment } = ofMembers;
  const selected = (membership: Membership) =>
    toSelection({ orgId, appId, environment }, membership);
  let loaded: Promise<void> | null = null;
  const loadEvents = () => {
    const columns = [...ROW_COLUMNS, ...memberships.flatMap(segmentColumns)];
    loaded ??= loadTables(connection, ofMembers, { columns });
    return loaded;
  };
  const members: Record<string, MemberKeys> = {};
  const byProjections: string[] = [];
  for (const membership of memberships) {
    if (membership.asOf === 'event') continue;
    const { id } = membership;
    const held = heldForMembers(membership);
    const asked = held && { held, membership, selection: selected(membership) };
    const people = asked && (await projectedMembers(run, ofMembers, asked));
    if (people) {
      members[id] = tiedMembers(people, ofQuestion.lateAliases);
      byProjections.push(id);
      continue;
    }
    await loadEvents();
    const events = selectEvents(ofMembers, selected(membership));
    const rows = await membersSql({ ...events, connection }, membership);
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${PEOPLE} AS SELECT person FROM (${rows})`);
    await tieToRows(connection, ofQuestion, id);
    const { named, anonymous } = memberTables(id);
    members[id] = memberKeys(
      await readKeys(connection, `FROM ${named}`),
      await readKeys(connection, `FROM ${anonymous}`),
    );
  }
  const load = async () => {
    for (const membership of memberships) {
      if (membership.asOf === 'now') continue;
      await loadEvents();
      const rows = momentsSql(selectEvents(ofMembers, selected(membership)), membership.rules);
      const { moments } = memberTables(membership.id);
      await connection.run(`CREATE OR REPLACE TEMP TABLE ${moments} AS ${rows}`);
    }
    for (const id of byProjections) {
      const keys = members[id];
      if (keys) await loadKeys(connection, id, keys);
    }
  };
  return { members, load };
}
