import { must } from '../../shared/assert.ts';
import { type AvroSchema, avroFile, field, optional } from './avro.ts';
import { icebergSchema, icebergSpecFields } from './metadata.ts';
import type * as types from './types.ts';
import { boundBytes } from './values.ts';

export type Entry =
  | { status: 'added'; file: types.DataFile }
  | { status: 'existing' | 'deleted'; file: types.PublishedFile };

const STATUS = { existing: 0, added: 1, deleted: 2 } as const;

/** Avro maps have text keys only; others are lists of pairs. */
const mapSchema = (keyId: number, valueId: number, value: 'long' | 'bytes'): AvroSchema => ({
  type: 'array',
  logicalType: 'map',
  items: {
    type: 'record',
    name: `k${keyId}_v${valueId}`,
    fields: [field('key', keyId, 'int'), field('value', valueId, value)],
  },
});

const PARTITION_TYPES: Record<types.PartitionField['transform'], AvroSchema> = {
  identity: 'string',
  day: { type: 'int', logicalType: 'date' },
  month: 'int',
};

function manifestSchema(spec: types.PartitionSpec): AvroSchema {
  const partition: AvroSchema = {
    type: 'record',
    name: 'r102',
    fields: spec.fields.map(({ name, id, transform }) =>
      optional(name, id, PARTITION_TYPES[transform]),
    ),
  };
  const dataFile: AvroSchema = {
    type: 'record',
    name: 'r2',
    fields: [
      field('content', 134, 'int'),
      field('file_path', 100, 'string'),
      field('file_format', 101, 'string'),
      field('partition', 102, partition),
      field('record_count', 103, 'long'),
      field('file_size_in_bytes', 104, 'long'),
      optional('column_sizes', 108, mapSchema(117, 118, 'long')),
      optional('value_counts', 109, mapSchema(119, 120, 'long')),
      optional('null_value_counts', 110, mapSchema(121, 122, 'long')),
      optional('nan_value_counts', 137, mapSchema(138, 139, 'long')),
      optional('lower_bounds', 125, mapSchema(126, 127, 'bytes')),
      optional('upper_bounds', 128, mapSchema(129, 130, 'bytes')),
      optional('key_metadata', 131, 'bytes'),
      optional('split_offsets', 132, { type: 'array', items: 'long', 'element-id': 133 }),
      optional('equality_ids', 135, { type: 'array', items: 'int', 'element-id': 136 }),
      optional('sort_order_id', 140, 'int'),
    ],
  };
  return {
    type: 'record',
    name: 'manifest_entry',
    fields: [
      field('status', 0, 'int'),
      optional('snapshot_id', 1, 'long'),
      optional('sequence_number', 3, 'long'),
      optional('file_sequence_number', 4, 'long'),
      field('data_file', 2, dataFile),
    ],
  };
}

type Pair<T> = { key: number; value: T };

/** Bounds of a removed file may be erased ids. */
function statistics(fields: readonly types.Field[], { status, file: { stats } }: Entry) {
  const known = fields.flatMap(({ id, name, type }) => {
    const column = stats[name];
    return column ? [{ id, type, ...column }] : [];
  });
  const bounds = (end: 'lower' | 'upper') =>
    (status === 'deleted' ? [] : known).flatMap(({ id, type, min, max }): Pair<Buffer>[] => {
      const text = end === 'lower' ? min : max;
      const value = text === undefined ? null : boundBytes(type, text, end);
      return value === null ? [] : [{ key: id, value }];
    });
  return {
    column_sizes: known.map(({ id, bytes }): Pair<number> => ({ key: id, value: bytes })),
    value_counts: known.map(({ id, values }) => ({ key: id, value: values })),
    null_value_counts: known.map(({ id, nulls }) => ({ key: id, value: nulls })),
    nan_value_counts: null,
    lower_bounds: bounds('lower'),
    upper_bounds: bounds('upper'),
  };
}

function record(
  table: types.TableDefinition,
  spec: types.PartitionSpec,
  entry: Entry,
  { snapshotId, objectUri }: { snapshotId: number; objectUri: (key: string) => string },
) {
  const { status, file } = entry;
  const sequenceNumber = status === 'added' ? null : file.sequenceNumber;
  return {
    status: STATUS[status],
    // For deleted files: the deleting snapshot.
    snapshot_id: status === 'existing' ? file.snapshotId : snapshotId,
    sequence_number: sequenceNumber,
    file_sequence_number: sequenceNumber,
    data_file: {
      content: 0,
      file_path: objectUri(file.path),
      file_format: 'PARQUET',
      partition: Object.fromEntries(
        spec.fields.map(({ name }, index) => [name, must(file.partition[index], name)]),
      ),
      record_count: file.rows,
      file_size_in_bytes: file.bytes,
      ...statistics(table.fields, entry),
      key_metadata: null,
      split_offsets: null,
      equality_ids: null,
      sort_order_id: table.sortedBy.length > 0 ? 1 : 0,
    },
  };
}

export function encodeManifest(
  table: types.TableDefinition,
  spec: types.PartitionSpec,
  entries: readonly Entry[],
  context: { snapshotId: number; objectUri: (key: string) => string },
): Promise<Buffer> {
  const header = {
    schema: JSON.stringify(icebergSchema(table)),
    'schema-id': '0',
    'partition-spec': JSON.stringify(icebergSpecFields(spec)),
    'partition-spec-id': String(spec.id),
    'format-version': '2',
    content: 'data',
  };
  const records = entries.map((entry) => record(table, spec, entry, context));
  return avroFile(manifestSchema(spec), header, records);
}
