import type { DuckDBConnection } from '@duckdb/node-api';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Sql, Tx } from '../storage/postgres.ts';
import { canContinue, commitChange, commitExpiry, letExpire } from './commit.ts';
import {
  filesWithoutStats,
  publishedFiles,
  replacedEventFiles,
  unpublishedEventFiles,
} from './files-queries.ts';
import { fillStats } from './fill-stats.ts';
import type { TableDefinition } from './format/types.ts';
import { baseUri, uriOf } from './names.ts';
import {
  foreignTables,
  forgetTable,
  type LakeTable,
  notePublished,
  renewLakeLease,
  selectTables,
  takePublisher,
} from './queries.ts';
import { EVENTS, eventDataFile } from './tables/events.ts';
import { deletedAppsTable, erasures } from './tables/forgotten.ts';
import type { OwnTable } from './tables/own-table.ts';
import { people } from './tables/people.ts';
import { writeRows } from './tables/write.ts';
import type { Publication } from './write-manifests.ts';

/** Somebody else wrote to the catalogue: what they committed would be lost with our next snapshot. */
export class ForeignWriter extends Error {
  constructor(table: string, location: string | null) {
    super(
      `The lake's table "${table}" was changed by another writer (iceberg_tables says ${location}). Nothing is published until its row is deleted from iceberg_tables, which makes the table anew; give readers SELECT only.`,
    );
    this.name = 'ForeignWriter';
  }
}

export type Publisher = {
  sql: Sql;
  objects: ObjectStore;
  /** EVENTS_URL, which readers' addresses begin with. */
  eventsUrl: string;
  log: { info: (fields: object, message: string) => void };
  /** A DuckDB of its own, opened when it is first needed. */
  duck: () => Promise<DuckDBConnection>;
};

const OWN_TABLES: readonly OwnTable[] = [people, erasures, deletedAppsTable];

/** The table as it can be gone on from; null where it begins anew, with nothing left of it. */
async function continued(
  { tx, objects, baseUri: base }: Publication,
  table: TableDefinition,
  published: LakeTable | undefined,
): Promise<LakeTable | null> {
  if (!published) return null;
  const isThere =
    published.location !== null &&
    canContinue(table, published, base) &&
    (await objects.getBytes(published.metadata)) !== null;
  if (isThere) return published;
  await forgetTable(tx, table.name);
  return null;
}

/** Throws when the catalogue names what this service has not put there. */
async function refuseForeign(tx: Tx, tables: readonly LakeTable[]): Promise<void> {
  for (const { name, location, metadata, baseUri: base } of tables) {
    // Without a row the table begins anew: that is how an operator answers this error.
    if (location !== null && location !== uriOf(base, metadata)) {
      throw new ForeignWriter(name, location);
    }
  }
  const [foreign] = await foreignTables(tx);
  if (foreign !== undefined) throw new ForeignWriter(foreign, null);
}

async function publishEvents(publication: Publication, before: LakeTable | null): Promise<boolean> {
  const { tx } = publication;
  const [unpublished, removed] = await Promise.all([
    unpublishedEventFiles(tx, EVENTS.name),
    replacedEventFiles(tx, EVENTS.name),
  ]);
  const added = unpublished.flatMap((file) =>
    file.stats ? [eventDataFile(file, file.stats)] : [],
  );
  if (before && added.length + removed.length === 0) return false;
  await commitChange(publication, EVENTS, before, { added, removed, source: '' });
  return true;
}

async function publishOwn(
  publication: Publication,
  duck: Publisher['duck'],
  { table, refresh }: OwnTable,
  before: LakeTable | null,
): Promise<boolean> {
  const { tx, objects } = publication;
  const files = await publishedFiles(tx, table.name);
  const due = await refresh(tx, before && { ...before, files: files.length });
  if (!due) return false;
  const file = await writeRows({ connection: await duck(), objects }, table, due.rows);
  await commitChange(publication, table, before, {
    added: file ? [file] : [],
    removed: due.replaces ? files : [],
    source: due.source,
  });
  return true;
}

async function publishAll(publisher: Publisher, tx: Tx): Promise<string[] | null> {
  const { objects, duck } = publisher;
  const turn = await takePublisher(tx);
  if (!turn) return null;
  const publication = { tx, objects, baseUri: baseUri(publisher.eventsUrl), nowMs: turn.nowMs };
  await renewLakeLease(tx);
  // Written by an earlier release a moment ago: they wait for the next round, and every table with
  // them, since all are of one moment.
  if ((await filesWithoutStats(tx, 1)).length > 0) return [];
  const tables = await selectTables(tx);
  await refuseForeign(tx, tables);
  const known = new Map(tables.map((table) => [table.name, table]));
  const changed: string[] = [];
  const publishOne = async (
    table: TableDefinition,
    publish: (before: LakeTable | null) => Promise<boolean>,
  ) => {
    const before = await continued(publication, table, known.get(table.name));
    const isShorter = before !== null && (await letExpire(publication, before));
    if (await publish(before)) changed.push(table.name);
    else if (isShorter) await commitExpiry(publication, table, before);
  };
  await publishOne(EVENTS, (before) => publishEvents(publication, before));
  for (const own of OWN_TABLES) {
    await publishOne(own.table, (before) => publishOwn(publication, duck, own, before));
  }
  await notePublished(tx);
  return changed;
}

/**
 * Publishes what changed since the last time, all tables as of one moment, and swaps the catalogue's
 * rows in the same transaction: whatever ends it before leaves the lake as it was. Returns the names
 * of the tables that have a new snapshot; null while another process publishes.
 */
export async function publishLake(publisher: Publisher): Promise<string[] | null> {
  await fillStats(publisher);
  return publisher.sql.begin('isolation level repeatable read', (tx) => publishAll(publisher, tx));
}
