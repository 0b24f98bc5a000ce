import { randomInt } from 'node:crypto';
import { HOUR_MS } from '../shared/time.ts';
import * as fileRows from './files-queries.ts';
import { encodeManifestList } from './format/manifest-list.ts';
import { tableMetadata } from './format/metadata.ts';
import type { Manifest, Snapshot, TableDefinition } from './format/types.ts';
import { LAKE_OBJECTS, manifestListName, metadataName, objectUri } from './names.ts';
import { listedSnapshots, liveFiles } from './plan.ts';
import { type LakeTable, swapMetadata } from './queries.ts';
import * as snapshotRows from './snapshots-queries.ts';
import {
  type Change,
  toPublishedFiles,
  type Publication,
  writeManifests,
} from './write-manifests.ts';

/** After its successor. */
const READABLE_MS = 24 * HOUR_MS;
/** Hourly, so that a quiet table is not rewritten for each. */
const EXPIRE_EVERY_MS = HOUR_MS;
/** For readers about to open an earlier one. */
const METADATA_KEPT = 60;
/** Integers are exact to 2^53 in JSON; randomInt allows 2^48. */
const SNAPSHOT_IDS = 2 ** 48 - 1;

function toSummary(change: Change, manifests: readonly Manifest[], bytes: number) {
  const total = manifests.reduce(
    (all, each) => ({
      files: all.files + liveFiles(each),
      rows: all.rows + each.added.rows + each.existing.rows,
    }),
    { files: 0, rows: 0 },
  );
  const rowsOf = (files: readonly { rows: number }[]) =>
    files.reduce((rows, file) => rows + file.rows, 0);
  const replaces = change.added.length > 0 ? 'overwrite' : 'delete';
  const operation = change.removed.length > 0 ? replaces : 'append';
  const numbers = {
    'added-data-files': change.added.length,
    'added-records': rowsOf(change.added),
    'deleted-data-files': change.removed.length,
    'deleted-records': rowsOf(change.removed),
    'total-data-files': total.files,
    'total-records': total.rows,
    'total-files-size': bytes,
    'total-delete-files': 0,
    'total-position-deletes': 0,
    'total-equality-deletes': 0,
  };
  return {
    operation,
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
  };
}

type Before = Omit<LakeTable, 'name' | 'snapshotId' | 'metadata' | 'location' | 'source'> & {
  snapshotId: number | null;
  metadata: string | null;
};

const definitionJson = (table: TableDefinition) => JSON.stringify(table);

const beginning = (table: TableDefinition, baseUri: string): Before => ({
  uuid: Bun.randomUUIDv7(),
  version: -1,
  sequenceNumber: 0,
  snapshotId: null,
  metadata: null,
  updatedMs: 0,
  metadataLog: [],
  baseUri,
  definition: definitionJson(table),
});

/** Otherwise the table is published anew. */
export function canContinue(table: TableDefinition, before: LakeTable, baseUri: string): boolean {
  return before.definition === definitionJson(table) && before.baseUri === baseUri;
}

async function publishMetadata(
  { tx, objects, baseUri, nowMs }: Publication,
  table: TableDefinition,
  before: Before,
  { current, source }: { current: Snapshot; source: string },
): Promise<void> {
  const uri = (key: string) => objectUri(baseUri, key);
  const version = before.version + 1;
  const metadata = metadataName(table.name, version);
  const updatedMs = Math.max(nowMs, before.updatedMs + 1);
  const last =
    before.metadata === null ? [] : [{ file: before.metadata, timestampMs: before.updatedMs }];
  const metadataLog = [...before.metadataLog, ...last].slice(-METADATA_KEPT);
  const listed = listedSnapshots(await snapshotRows.keptSnapshots(tx, table.name));
  const ids = listed.map(({ snapshotId }) => snapshotId);
  const snapshots = await snapshotRows.selectSnapshots(tx, table.name, ids);
  const location = uri(`${LAKE_OBJECTS}${table.name}`);
  const state = { uuid: before.uuid, location, updatedMs, snapshots, metadataLog };
  const text = JSON.stringify(tableMetadata(table, state, uri));
  await objects.putBytes(metadata, Buffer.from(text));
  const now = {
    name: table.name,
    uuid: before.uuid,
    definition: before.definition,
    baseUri,
    metadata,
    version,
    metadataLog,
    sequenceNumber: current.sequenceNumber,
    snapshotId: current.snapshotId,
    updatedMs,
    source,
  };
  await swapMetadata(tx, now, uri(metadata), before.metadata && uri(before.metadata));
}

export async function commitChange(
  publication: Publication,
  table: TableDefinition,
  published: LakeTable | null,
  change: Change,
): Promise<void> {
  const { tx, baseUri, nowMs } = publication;
  const before = published ?? beginning(table, baseUri);
  const numbers = {
    snapshotId: 1 + randomInt(SNAPSHOT_IDS - 1),
    sequenceNumber: before.sequenceNumber + 1,
  };
  const manifests = await fileRows.selectManifests(tx, table.name);
  const { kept, dropped, written } = await writeManifests(
    publication,
    table,
    manifests,
    change,
    numbers,
  );
  const all = [...kept, ...written.map(({ manifest }) => manifest)];
  const snapshot = { ...numbers, parentId: before.snapshotId };
  const manifestList = manifestListName(table.name, numbers.snapshotId);
  const list = await encodeManifestList(all, snapshot, (key) => objectUri(baseUri, key));
  await publication.objects.putBytes(manifestList, list);

  const removed = change.removed.map(({ path }) => path);
  if (published) {
    const own = removed.filter((path) => path.startsWith(LAKE_OBJECTS));
    await snapshotRows.keepEnded(tx, table.name, published.snapshotId, own);
  }
  await fileRows.deleteFiles(tx, table.name, removed);
  await fileRows.noteFiles(tx, table.name, toPublishedFiles(written, numbers));
  await fileRows.replaceManifests(tx, table.name, {
    dropped,
    written: written.map(({ manifest }) => manifest),
  });
  const timestampMs = Math.max(nowMs, before.updatedMs + 1);
  const current = {
    ...snapshot,
    timestampMs,
    manifestList,
    summary: toSummary(change, all, await fileRows.selectTableBytes(tx, table.name)),
    manifests: all.map(({ path }) => path),
  };
  await snapshotRows.insertSnapshot(tx, table.name, current);
  await publishMetadata(publication, table, before, { current, source: change.source });
}

export function expireOld({ tx, nowMs }: Publication, published: LakeTable): Promise<boolean> {
  return snapshotRows.expireSnapshots(tx, published, {
    beforeMs: nowMs - READABLE_MS,
    ifBeforeMs: nowMs - READABLE_MS - EXPIRE_EVERY_MS,
  });
}

export async function commitExpiry(
  publication: Publication,
  table: TableDefinition,
  published: LakeTable,
): Promise<void> {
  const [current] = await snapshotRows.selectSnapshots(publication.tx, table.name, [
    published.snapshotId,
  ]);
  if (!current) return;
  await publishMetadata(publication, table, published, { current, source: published.source });
}
