import { type AvroSchema, avroFile, field, optional } from './avro.ts';
import type { Manifest } from './types.ts';
import { partitionBytes } from './values.ts';

const PARTITIONS: AvroSchema = {
  type: 'array',
  'element-id': 508,
  items: {
    type: 'record',
    name: 'r508',
    fields: [
      field('contains_null', 509, 'boolean'),
      optional('contains_nan', 518, 'boolean'),
      optional('lower_bound', 510, 'bytes'),
      optional('upper_bound', 511, 'bytes'),
    ],
  },
};

const MANIFEST_FILE: AvroSchema = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field('manifest_path', 500, 'string'),
    field('manifest_length', 501, 'long'),
    field('partition_spec_id', 502, 'int'),
    field('content', 517, 'int'),
    field('sequence_number', 515, 'long'),
    field('min_sequence_number', 516, 'long'),
    field('added_snapshot_id', 503, 'long'),
    field('added_files_count', 504, 'int'),
    field('existing_files_count', 505, 'int'),
    field('deleted_files_count', 506, 'int'),
    field('added_rows_count', 512, 'long'),
    field('existing_rows_count', 513, 'long'),
    field('deleted_rows_count', 514, 'long'),
    optional('partitions', 507, PARTITIONS),
  ],
};

export function encodeManifestList(
  manifests: readonly Manifest[],
  snapshot: { snapshotId: number; parentId: number | null; sequenceNumber: number },
  objectUri: (key: string) => string,
): Promise<Buffer> {
  const header = {
    'snapshot-id': String(snapshot.snapshotId),
    'parent-snapshot-id': String(snapshot.parentId),
    'sequence-number': String(snapshot.sequenceNumber),
    'format-version': '2',
  };
  const records = manifests.map((manifest) => ({
    manifest_path: objectUri(manifest.path),
    manifest_length: manifest.bytes,
    partition_spec_id: manifest.specId,
    content: 0,
    sequence_number: manifest.sequenceNumber,
    min_sequence_number: manifest.minSequenceNumber,
    added_snapshot_id: manifest.snapshotId,
    added_files_count: manifest.added.files,
    existing_files_count: manifest.existing.files,
    deleted_files_count: manifest.deleted.files,
    added_rows_count: manifest.added.rows,
    existing_rows_count: manifest.existing.rows,
    deleted_rows_count: manifest.deleted.rows,
    partitions: manifest.partitions.map(({ lower, upper }) => ({
      contains_null: false,
      contains_nan: null,
      lower_bound: partitionBytes(lower),
      upper_bound: partitionBytes(upper),
    })),
  }));
  return avroFile(MANIFEST_FILE, header, records);
}
