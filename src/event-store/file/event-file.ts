import type { KeyRunInfo } from '../dedup/key-index.ts';
import type { Section } from '../dedup/sections.ts';
import type { FileLevel } from '../names.ts';
import type { FileStats } from './file-stats.ts';
import type { RangeCounts } from './range-counts.ts';

export type AppRange = {
  appId: string;
  orgId: string;
  firstRow: number;
  rows: number;
  minOccurredAt: Date;
  maxOccurredAt: Date;
  /** Of `rows`, those of development. */
  developmentRows: number;
  /** Only in files of one app. */
  counts: RangeCounts | null;
};

/** The projection of a file in the object store; its path is null when it cannot have one. */
export type StoredProjection = { projection: string | null; projectionBytes: number | null };

export type NewEventFile = StoredProjection & {
  fileId: string;
  orgId: string | null;
  appId: string | null;
  level: FileLevel;
  /** Which columns it has. */
  format: number;
  /** `YYYY-MM-DD`, UTC; only when every row occurred on it. */
  day: string | null;
  path: string;
  rows: number;
  bytes: number;
  /** Of the props of all rows, as text; null in files of earlier releases. */
  propsBytes: number | null;
  minOccurredAt: Date;
  maxOccurredAt: Date;
  minReceivedAt: Date;
  maxReceivedAt: Date;
  /** What the file itself says of its columns. */
  stats: FileStats;
  /** The format of the projection; 0 when it is still to be made. */
  projectionFormat: number;
  apps: AppRange[];
};

export type EventFile = Omit<NewEventFile, 'apps' | 'stats'> & {
  peopleSeq: number;
  createdAt: Date;
};

export type NewKeyRun = Omit<KeyRunInfo, 'seq' | 'sections'> & { sections: Section[] };
