import type { FileStats } from '../../event-store/read.ts';

/** The types of Iceberg that our columns have. */
export type FieldType =
  | 'string'
  | 'uuid'
  | 'timestamptz'
  | 'date'
  | 'long'
  | 'int'
  | 'boolean'
  | 'decimal(38, 6)';

/** A column; its id never changes meaning. Every column may be null. */
export type Field = { id: number; name: string; type: FieldType };

export type PartitionField = {
  /** The column that it is derived from. */
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
  /** Ids of the columns that the rows of each file are sorted by, ascending, nulls last. */
  sortedBy: readonly number[];
};

export type PartitionValue = string | number;

/** A Parquet file of a table. */
export type DataFile = {
  /** Its name in the object store. */
  path: string;
  specId: number;
  /** A value for each field of the spec. */
  partition: readonly PartitionValue[];
  rows: number;
  bytes: number;
  stats: FileStats;
};

/** A file that a snapshot has, and the snapshot that brought it. */
export type PublishedFile = DataFile & {
  manifest: string;
  snapshotId: number;
  sequenceNumber: number;
};

export type PartitionBounds = { lower: PartitionValue; upper: PartitionValue };

/** What a manifest list says of a manifest. */
export type Manifest = {
  path: string;
  specId: number;
  bytes: number;
  /** Of the snapshot that wrote it. */
  snapshotId: number;
  sequenceNumber: number;
  /** The least of the files that it keeps. */
  minSequenceNumber: number;
  added: Counts;
  existing: Counts;
  deleted: Counts;
  /** For each field of the spec; empty where there are no files. */
  partitions: PartitionBounds[];
};

export type Counts = { files: number; rows: number };

export type Snapshot = {
  snapshotId: number;
  parentId: number | null;
  sequenceNumber: number;
  timestampMs: number;
  /** Name in the object store. */
  manifestList: string;
  summary: Record<string, string>;
};
