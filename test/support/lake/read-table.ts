import avro from 'avsc';
import { CATALOG } from '../../../src/lake/names.ts';
import type { ObjectStore } from '../../../src/storage/object-store/port.ts';
import type { Sql } from '../../../src/storage/postgres.ts';

/** A second reading of the format, which shares no code with the writer but the Avro library. */

type Json = Record<string, unknown>;

export type ReadFile = {
  path: string;
  specId: number;
  partition: Record<string, unknown>;
  rows: number;
  bytes: number;
  lower: Map<number, Buffer>;
  upper: Map<number, Buffer>;
  nulls: Map<number, number>;
};
export type ReadSnapshot = {
  id: number;
  timestampMs: number;
  summary: Record<string, string>;
  manifests: string[];
  files: ReadFile[];
};
export type ReadTable = { location: string; metadata: Json; snapshots: ReadSnapshot[] };

const MAGIC = Buffer.from('Obj\u0001');

export function decodeAvro(bytes: Uint8Array): Promise<{ header: Json; records: Json[] }> {
  if (!Buffer.from(bytes.subarray(0, 4)).equals(MAGIC)) throw new Error('This is no Avro file.');
  const { promise, resolve, reject } = Promise.withResolvers<{ header: Json; records: Json[] }>();
  const records: Json[] = [];
  let header: Json = {};
  const decoder = new avro.streams.BlockDecoder();
  decoder.on('metadata', (_type: unknown, _codec: unknown, read: { meta: Json }) => {
    header = read.meta;
  });
  decoder.on('data', (record: Json) => records.push(record));
  decoder.on('error', reject);
  decoder.on('end', () => resolve({ header, records }));
  decoder.end(Buffer.from(bytes));
  return promise;
}

type Store = { objects: ObjectStore; base: string };

async function objectAt({ objects, base }: Store, uri: string): Promise<Uint8Array> {
  if (!uri.startsWith(`${base}/`)) throw new Error(`${uri} is outside the store.`);
  const bytes = await objects.getBytes(uri.slice(base.length + 1));
  if (!bytes) throw new Error(`${uri} is missing.`);
  return bytes;
}

const pairs = <T>(list: unknown) =>
  new Map((list as { key: number; value: T }[] | null)?.map(({ key, value }) => [key, value]));

function toFile(entry: Json, specId: number, base: string): ReadFile {
  const file = entry.data_file as Json;
  return {
    path: String(file.file_path).slice(base.length + 1),
    specId,
    partition: file.partition as Record<string, unknown>,
    rows: Number(file.record_count),
    bytes: Number(file.file_size_in_bytes),
    lower: pairs<Buffer>(file.lower_bounds),
    upper: pairs<Buffer>(file.upper_bounds),
    nulls: pairs<number>(file.null_value_counts),
  };
}

async function readSnapshot(store: Store, snapshot: Json): Promise<ReadSnapshot> {
  const list = await decodeAvro(await objectAt(store, String(snapshot['manifest-list'])));
  const files: ReadFile[] = [];
  for (const manifest of list.records) {
    const bytes = await objectAt(store, String(manifest.manifest_path));
    if (bytes.length !== manifest.manifest_length) throw new Error('A manifest has another size.');
    const { records } = await decodeAvro(bytes);
    const counts = [0, 0, 0];
    for (const entry of records) {
      counts[entry.status as number]! += 1;
      if (entry.status !== 2)
        files.push(toFile(entry, Number(manifest.partition_spec_id), store.base));
    }
    const said = ['existing', 'added', 'deleted'].map((each) => manifest[`${each}_files_count`]);
    if (said.join() !== counts.join())
      throw new Error(`A manifest says ${said} and has ${counts}.`);
  }
  return {
    id: Number(snapshot['snapshot-id']),
    timestampMs: Number(snapshot['timestamp-ms']),
    summary: snapshot.summary as Record<string, string>,
    manifests: list.records.map((manifest) => String(manifest.manifest_path)),
    files,
  };
}

/** The table as an engine would find it through the catalogue, with every snapshot that it lists. */
export async function readTable(sql: Sql, store: Store, name: string): Promise<ReadTable> {
  const [row] = await sql<{ location: string }[]>`
    SELECT metadata_location AS location FROM iceberg_tables
    WHERE catalog_name = ${CATALOG} AND table_name = ${name}`;
  if (!row) throw new Error(`There is no table ${name}.`);
  const metadata = JSON.parse(
    new TextDecoder().decode(await objectAt(store, row.location)),
  ) as Json;
  const snapshots: ReadSnapshot[] = [];
  for (const snapshot of metadata.snapshots as Json[]) {
    snapshots.push(await readSnapshot(store, snapshot));
  }
  return { location: row.location, metadata, snapshots };
}

/** Its files as of now. */
export function currentFiles({ metadata, snapshots }: ReadTable): ReadFile[] {
  return snapshots.find(({ id }) => id === metadata['current-snapshot-id'])?.files ?? [];
}
