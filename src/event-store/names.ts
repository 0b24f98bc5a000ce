import { at } from '../shared/assert.ts';

/** 0: many apps, as compaction writes them. 1: one app and UTC day. 2: one app, closed days. */
export type FileLevel = 0 | 1 | 2;

/** Prefixes and names of everything that an installation keeps in its bucket or folder. */
export const EVENT_OBJECTS = 'events/';
/** Projections of event files, which can be made again. */
export const PROJECTIONS = 'projections/';
/** Copies of sealed log segments. */
export const SEGMENT_COPIES = 'segments/';
/** Raw App Store reports of the sales chapter, by organization. */
export const SALES_REPORTS = 'store-reports/';
/** Names the installation that owns the place. */
export const MARKER_KEY = '_installation.json';

const SEGMENT_SUFFIX = '.log';

/** A UTC day as `YYYY-MM-DD`. */
export const utcDay = (date: Date): string => date.toISOString().slice(0, 10);

/** By level and day of writing, so that no folder grows without end. */
export function eventFileName(fileId: string, level: FileLevel, createdAt: Date): string {
  return `${EVENT_OBJECTS}level${level}/${utcDay(createdAt)}/${fileId}.parquet`;
}

/** With a name of its own, since one may be made again for the same file. */
export function projectionName(projectionId: string, createdAt: Date): string {
  return `${PROJECTIONS}${utcDay(createdAt)}/${projectionId}.projection`;
}

export function keyRunName(runId: string, createdAt: Date): string {
  return `${EVENT_OBJECTS}keys/${utcDay(createdAt)}/${runId}.keys`;
}

export function segmentCopyName(segmentId: string): string {
  return `${SEGMENT_COPIES}${segmentId}${SEGMENT_SUFFIX}`;
}

/** The inverse of `segmentCopyName`. */
export function segmentIdOf(name: string): string {
  return name.slice(SEGMENT_COPIES.length, -SEGMENT_SUFFIX.length);
}

/** The organization of a raw sales report. */
export function organizationOfReport(name: string): string {
  return at(name.slice(SALES_REPORTS.length).split('/'), 0);
}
