import type { PartitionSpec, Snapshot, TableDefinition } from './types.ts';

export function icebergSchema({ fields }: TableDefinition) {
  return {
    type: 'struct',
    'schema-id': 0,
    fields: fields.map(({ id, name, type }) => ({ id, name, required: false, type })),
  };
}

export function icebergSpecFields({ fields }: PartitionSpec) {
  return fields.map(({ sourceId, id, name, transform }) => ({
    'source-id': sourceId,
    'field-id': id,
    name,
    transform,
  }));
}

/** Partition field ids start above this. */
const PARTITION_IDS_AFTER = 999;

function sortOrders({ sortedBy }: TableDefinition) {
  const unsorted = { 'order-id': 0, fields: [] };
  if (sortedBy.length === 0) return [unsorted];
  const fields = sortedBy.map((sourceId) => ({
    transform: 'identity',
    'source-id': sourceId,
    direction: 'asc',
    'null-order': 'nulls-last',
  }));
  return [unsorted, { 'order-id': 1, fields }];
}

export type TableState = {
  uuid: string;
  location: string;
  updatedMs: number;
  snapshots: readonly Snapshot[];
  metadataLog: readonly { file: string; timestampMs: number }[];
};

const toSnapshot = (snapshot: Snapshot, known: ReadonlySet<number>, objectUri: Uri) => ({
  'snapshot-id': snapshot.snapshotId,
  // Omits a parent that is no longer listed.
  ...(snapshot.parentId !== null &&
    known.has(snapshot.parentId) && { 'parent-snapshot-id': snapshot.parentId }),
  'sequence-number': snapshot.sequenceNumber,
  'timestamp-ms': snapshot.timestampMs,
  'manifest-list': objectUri(snapshot.manifestList),
  summary: snapshot.summary,
  'schema-id': 0,
});

type Uri = (key: string) => string;

/** Format version 2. */
export function tableMetadata(table: TableDefinition, state: TableState, objectUri: Uri) {
  const { snapshots } = state;
  const current = snapshots.at(-1);
  const known = new Set(snapshots.map(({ snapshotId }) => snapshotId));
  const partitionIds = table.specs.flatMap(({ fields }) => fields.map(({ id }) => id));
  return {
    'format-version': 2,
    'table-uuid': state.uuid,
    location: state.location,
    'last-sequence-number': current?.sequenceNumber ?? 0,
    'last-updated-ms': state.updatedMs,
    'last-column-id': Math.max(...table.fields.map(({ id }) => id)),
    'current-schema-id': 0,
    schemas: [icebergSchema(table)],
    'default-spec-id': 0,
    'partition-specs': table.specs.map((spec) => ({
      'spec-id': spec.id,
      fields: icebergSpecFields(spec),
    })),
    'last-partition-id': Math.max(PARTITION_IDS_AFTER, ...partitionIds),
    'default-sort-order-id': table.sortedBy.length > 0 ? 1 : 0,
    'sort-orders': sortOrders(table),
    properties: { comment: table.doc, 'write.format.default': 'parquet' },
    'current-snapshot-id': current?.snapshotId ?? -1,
    refs: current ? { main: { 'snapshot-id': current.snapshotId, type: 'branch' } } : {},
    snapshots: snapshots.map((snapshot) => toSnapshot(snapshot, known, objectUri)),
    statistics: [],
    'partition-statistics': [],
    'snapshot-log': snapshots.map(({ snapshotId, timestampMs }) => ({
      'snapshot-id': snapshotId,
      'timestamp-ms': timestampMs,
    })),
    'metadata-log': state.metadataLog.map(({ file, timestampMs }) => ({
      'metadata-file': objectUri(file),
      'timestamp-ms': timestampMs,
    })),
  };
}
