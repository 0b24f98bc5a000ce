import type { KeyRunInfo } from '../dedup/key-index.ts';
import type { Section } from '../dedup/sections.ts';
import type { FileLevel } from '../objects/names.ts';
import type { FileStats } from './file-stats.ts';
import type { RangeCounts } from './range-counts.ts';

export type AppRange = {
  appId: string;
  orgId: string;
  firstRow: number;
  rows: number;
  minOccurredAt: Date;
  maxOccurredAt: Date;
  developmentRows: number;
  counts: RangeCounts | null;
};

/** Null when the file cannot have one. */
export type StoredProjection = { projection: string | null; projectionBytes: number | null };

export type NewEventFile = StoredProjection & {
  fileId: string;
  orgId: string | null;
  appId: string | null;
  level: FileLevel;
  format: number;
  /** `YYYY-MM-DD`, UTC; null unless all rows occurred on it. */
  day: string | null;
  path: string;
  rows: number;
  bytes: number;
  /** Uncompressed; null in files of earlier releases. */
  propsBytes: number | null;
  minOccurredAt: Date;
  maxOccurredAt: Date;
  minReceivedAt: Date;
  maxReceivedAt: Date;
  stats: FileStats;
  /** 0 while pending. */
  projectionFormat: number;
  apps: AppRange[];
};

export type EventFile = Omit<NewEventFile, 'apps' | 'stats'> & {
  peopleSeq: number;
  createdAt: Date;
};

export type NewKeyRun = Omit<KeyRunInfo, 'seq' | 'sections'> & { sections: Section[] };
