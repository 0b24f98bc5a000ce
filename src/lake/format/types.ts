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
  sortedBy: readonly number[];
};

export type PartitionValue = string | number;

export type DataFile = {
  path: string;
  specId: number;
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
  snapshotId: number;
  sequenceNumber: number;
  minSequenceNumber: number;
  added: Counts;
  existing: Counts;
  deleted: Counts;
  partitions: PartitionBounds[];
};

export type Counts = { files: number; rows: number };

export type Snapshot = {
  snapshotId: number;
  parentId: number | null;
  sequenceNumber: number;
  timestampMs: number;
  manifestList: string;
  summary: Record<string, string>;
};
