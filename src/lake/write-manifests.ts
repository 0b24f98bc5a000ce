import { at } from '../shared/assert.ts';
import { limitConcurrency } from '../shared/concurrency.ts';
import type { ObjectStore } from '../storage/object-store/port.ts';
import type { Tx } from '../storage/postgres.ts';
import { publishedIn } from './files-queries.ts';
import { type Entry, encodeManifest } from './format/manifest.ts';
import type * as types from './format/types.ts';
import { manifestName, objectUri } from './names.ts';
import { divideEntries, planManifests } from './plan.ts';

const WRITES_AT_ONCE = 8;

export type Publication = { tx: Tx; objects: ObjectStore; baseUri: string; nowMs: number };

export type Change = {
  added: readonly types.DataFile[];
  removed: readonly types.PublishedFile[];
  source: string;
};

const sum = (entries: readonly Entry[]): types.Counts => ({
  files: entries.length,
  rows: entries.reduce((rows, { file }) => rows + file.rows, 0),
});

function toBounds(entries: readonly Entry[]): types.PartitionBounds[] {
  const [first, ...others] = entries.map(({ file }) => file.partition);
  const bounds = (first ?? []).map((value) => ({ lower: value, upper: value }));
  for (const partition of others) {
    for (const [index, value] of partition.entries()) {
      const field = at(bounds, index);
      if (value < field.lower) field.lower = value;
      if (value > field.upper) field.upper = value;
    }
  }
  return bounds;
}

export type Numbers = { snapshotId: number; sequenceNumber: number };

async function writeManifest(
  { objects, baseUri }: Publication,
  table: types.TableDefinition,
  entries: readonly Entry[],
  { snapshotId, sequenceNumber }: Numbers,
): Promise<types.Manifest> {
  const { specId } = at(entries, 0).file;
  const spec = at(table.specs, specId);
  const uri = (key: string) => objectUri(baseUri, key);
  const bytes = await encodeManifest(table, spec, entries, { snapshotId, objectUri: uri });
  const path = manifestName(table.name);
  await objects.putBytes(path, bytes);
  const withStatus = (status: Entry['status']) => entries.filter((each) => each.status === status);
  const kept = entries.flatMap((each) =>
    each.status === 'existing' ? [each.file.sequenceNumber] : [],
  );
  return {
    path,
    specId,
    bytes: bytes.length,
    snapshotId,
    sequenceNumber,
    minSequenceNumber: Math.min(sequenceNumber, ...kept),
    added: sum(withStatus('added')),
    existing: sum(withStatus('existing')),
    deleted: sum(withStatus('deleted')),
    partitions: toBounds(entries),
  };
}

export async function writeManifests(
  publication: Publication,
  table: types.TableDefinition,
  before: readonly types.Manifest[],
  { added, removed }: Change,
  numbers: Numbers,
) {
  const { tx } = publication;
  const touched = new Set(removed.map(({ manifest }) => manifest));
  const addedTo = new Set(added.map(({ specId }) => specId));
  const { kept, rewritten } = planManifests(before, { touched, addedTo });
  const gone = new Set(removed.map(({ path }) => path));
  const named = await publishedIn(
    tx,
    table.name,
    rewritten.map(({ path }) => path),
  );
  const existing = named.filter(({ path }) => !gone.has(path));
  const groups = divideEntries<Entry>([
    ...added.map((file): Entry => ({ status: 'added', file })),
    ...existing.map((file): Entry => ({ status: 'existing', file })),
    ...removed.map((file): Entry => ({ status: 'deleted', file })),
  ]);
  const limited = limitConcurrency(WRITES_AT_ONCE);
  const written = await Promise.all(
    groups.map((entries) =>
      limited(async () => ({
        entries,
        manifest: await writeManifest(publication, table, entries, numbers),
      })),
    ),
  );
  const isKept = new Set(kept.map(({ path }) => path));
  const dropped = before.filter(({ path }) => !isKept.has(path)).map(({ path }) => path);
  return { kept, dropped, written };
}

export function toPublishedFiles(
  written: readonly { entries: readonly Entry[]; manifest: types.Manifest }[],
  numbers: Numbers,
) {
  const added: types.PublishedFile[] = [];
  const moved: types.PublishedFile[] = [];
  for (const { entries, manifest } of written) {
    for (const entry of entries) {
      if (entry.status === 'added')
        added.push({ ...entry.file, ...numbers, manifest: manifest.path });
      if (entry.status === 'existing') moved.push({ ...entry.file, manifest: manifest.path });
    }
  }
  return { added, moved };
}
