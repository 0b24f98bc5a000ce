import { besidePool, type Tx } from '../storage/postgres.ts';
import { canContinue, commitChange, commitExpiry, expireOld } from './commit.ts';
import * as fileRows from './files-queries.ts';
import { fillStats } from './fill-stats.ts';
import type { TableDefinition } from './format/types.ts';
import { baseUri, objectUri } from './names.ts';
import { copyExposures, publishExposures } from './publish-exposures.ts';
import { publishMonthly } from './publish-monthly.ts';
import type { Publisher } from './publisher.ts';
import * as queries from './queries.ts';
import { audit } from './tables/audit.ts';
import { entitlements } from './tables/entitlements.ts';
import { EVENTS, eventDataFile } from './tables/events.ts';
import { EXPOSURES } from './tables/exposures.ts';
import type { MonthlyTable, OwnTable } from './tables/own-table.ts';
import { people, deletedAppsTable, erasures } from './tables/people.ts';
import { purchases } from './tables/purchases.ts';
import { sales } from './tables/sales.ts';
import { writeRows } from './tables/write.ts';
import type { Publication } from './write-manifests.ts';

/** Its commit would be lost with our next snapshot. */
export class ForeignWriter extends Error {
  constructor(table: string, location: string | null) {
    super(
      `The lake's table "${table}" was changed by another writer (iceberg_tables says ${location}). Nothing is published until its row is deleted from iceberg_tables, which makes the table anew; give readers SELECT only.`,
    );
    this.name = 'ForeignWriter';
  }
}

const OWN_TABLES: readonly OwnTable[] = [people, erasures, deletedAppsTable, entitlements];
const MONTHLY_TABLES: readonly MonthlyTable[] = [sales, purchases, audit];

/** Null, with everything deleted, when the table starts anew. */
async function continued(
  { tx, objects, baseUri: base }: Publication,
  table: TableDefinition,
  published: queries.LakeTable | undefined,
): Promise<queries.LakeTable | null> {
  if (!published) return null;
  const isThere =
    published.location !== null &&
    canContinue(table, published, base) &&
    (await objects.getBytes(published.metadata)) !== null;
  if (isThere) return published;
  await queries.deleteTable(tx, table.name);
  return null;
}

/** Throws on entries this service did not write. */
async function refuseForeign(tx: Tx, tables: readonly queries.LakeTable[]): Promise<void> {
  for (const { name, location, metadata, baseUri: base } of tables) {
    // Operators resolve it by deleting the row.
    if (location !== null && location !== objectUri(base, metadata)) {
      throw new ForeignWriter(name, location);
    }
  }
  const [foreign] = await queries.foreignTables(tx);
  if (foreign !== undefined) throw new ForeignWriter(foreign, null);
}

async function publishEvents(
  publication: Publication,
  before: queries.LakeTable | null,
): Promise<boolean> {
  const { tx } = publication;
  const [unpublished, removed] = await Promise.all([
    fileRows.unpublishedEventFiles(tx, EVENTS.name),
    fileRows.replacedEventFiles(tx, EVENTS.name),
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
  before: queries.LakeTable | null,
): Promise<boolean> {
  const { tx, objects } = publication;
  const files = await fileRows.publishedFiles(tx, table.name);
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

type Step = { table: TableDefinition; publish: Publish };
type Publish = (publication: Publication, before: queries.LakeTable | null) => Promise<boolean>;

async function publishSteps(publication: Publication, steps: readonly Step[]): Promise<string[]> {
  const tables = await queries.selectTables(publication.tx);
  await refuseForeign(publication.tx, tables);
  const known = new Map(tables.map((table) => [table.name, table]));
  const changed: string[] = [];
  for (const { table, publish } of steps) {
    const before = await continued(publication, table, known.get(table.name));
    const isShorter = before !== null && (await expireOld(publication, before));
    if (await publish(publication, before)) changed.push(table.name);
    else if (isShorter) await commitExpiry(publication, table, before);
  }
  return changed;
}

/** Null while another process holds the publisher lock. */
function asPublisher(
  { sql, objects, eventsUrl }: Publisher,
  publish: (publication: Publication) => Promise<string[]>,
): Promise<string[] | null> {
  return besidePool(sql).begin('isolation level repeatable read', async (tx) => {
    const turn = await queries.takePublisher(tx);
    if (!turn) return null;
    return publish({ tx, objects, baseUri: baseUri(eventsUrl), nowMs: turn.nowMs });
  });
}

async function publishTogether(publication: Publication, { duck }: Publisher): Promise<string[]> {
  const { tx } = publication;
  await queries.renewLakeLease(tx);
  // All tables share one moment.
  if ((await fileRows.filesWithoutStats(tx, 1)).length > 0) return [];
  const own = OWN_TABLES.map(
    (each): Step => ({
      table: each.table,
      publish: (now, before) => publishOwn(now, duck, each, before),
    }),
  );
  const changed = await publishSteps(publication, [
    { table: EVENTS, publish: publishEvents },
    { table: EXPOSURES, publish: publishExposures },
    ...own,
  ]);
  await queries.noteDataThrough(tx);
  return changed;
}

/** A slow month must not delay the rest. */
async function publishFacts(publisher: Publisher): Promise<string[]> {
  const { duck, rests } = publisher;
  const changed: string[] = [];
  for (const monthly of MONTHLY_TABLES) {
    const { table } = monthly;
    const published = await rests.unlessCoolingDown(table.name, () =>
      asPublisher(publisher, (publication) =>
        publishSteps(publication, [
          { table, publish: (now, before) => publishMonthly(now, duck, monthly, before) },
        ]),
      ),
    );
    changed.push(...(published ?? []));
  }
  return changed;
}

/** One transaction: an abort changes nothing. Null while another process publishes. */
export async function publishLake(publisher: Publisher): Promise<string[] | null> {
  await fillStats(publisher);
  await copyExposures(publisher);
  const together = await asPublisher(publisher, (now) => publishTogether(now, publisher));
  if (!together) return null;
  const facts = await publishFacts(publisher);
  await asPublisher(publisher, ({ tx }) => queries.notePublished(tx).then(() => []));
  return [...together, ...facts];
}
