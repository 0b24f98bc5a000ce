import type { FileStats } from '../../event-store/read.ts';

export type FieldType =
  | 'string'
  | 'uuid'
  | 'timestamptz'
  | 'date'
  | 'long'
  | 'int'
  | 'boolean'
  | 'decimal(38, 6)';

/** `id` never changes meaning. All columns are nullable. */
export type Field = { id: number; name: string; type: FieldType };

export type PartitionField = {
  /** Source column. */
  sourceId: number;
  id: number;
  name: string;
  transform: 'identity' | 'day' | 'month';
};

export type PartitionSpec = { id: number; fields: readonly PartitionField[] };

export type TableDefinition = {
  name: string;
  doc: string;
  fields: readonly Field[];
  specs: readonly PartitionSpec[];
  /** Sort columns of each file: ascending, nulls last. */
  sortedBy: readonly number[];
};

export type PartitionValue = string | number;

export type DataFile = {
  /** Object key. */
  path: string;
  specId: number;
  /** One value per field of the spec. */
  partition: readonly PartitionValue[];
  rows: number;
  bytes: number;
  stats: FileStats;
};

export type PublishedFile = DataFile & {
  manifest: string;
  snapshotId: number;
  sequenceNumber: number;
};

export type PartitionBounds = { lower: PartitionValue; upper: PartitionValue };

export type Manifest = {
  path: string;
  specId: number;
  bytes: number;
  /** Snapshot that wrote it. */
  snapshotId: number;
  sequenceNumber: number;
  /** Smallest among existing files. */
  minSequenceNumber: number;
  added: Counts;
  existing: Counts;
  deleted: Counts;
  /** One per field of the spec; empty without files. */
  partitions: PartitionBounds[];
};

export type Counts = { files: number; rows: number };

export type Snapshot = {
  snapshotId: number;
  parentId: number | null;
  sequenceNumber: number;
  timestampMs: number;
  /** Object key. */
  manifestList: string;
  summary: Record<string, string>;
};
