import { at } from '../../shared/assert.ts';

export type FileLevel = 0 | 1 | 2;

export const EVENT_OBJECTS = 'events/';
/** Can be rebuilt. */
export const PROJECTIONS = 'projections/';
export const SEGMENT_COPIES = 'segments/';
/** By organization. */
export const SALES_REPORTS = 'store-reports/';
export const MARKER_KEY = '_installation.json';
export const LAST_COMMIT_KEY = '_last-commit.json';

const SEGMENT_SUFFIX = '.log';

/** `YYYY-MM-DD`, UTC. */
export const utcDay = (date: Date): string => date.toISOString().slice(0, 10);

export function eventFileName(fileId: string, level: FileLevel, createdAt: Date): string {
  return `${EVENT_OBJECTS}level${level}/${utcDay(createdAt)}/${fileId}.parquet`;
}

/** Own id, since projections are rebuilt. */
export function projectionName(projectionId: string, createdAt: Date): string {
  return `${PROJECTIONS}${utcDay(createdAt)}/${projectionId}.projection`;
}

export function columnName(columnId: string, createdAt: Date): string {
  return `${PROJECTIONS}${utcDay(createdAt)}/${columnId}.column`;
}

export function keyRunName(runId: string, createdAt: Date): string {
  return `${EVENT_OBJECTS}keys/${utcDay(createdAt)}/${runId}.keys`;
}

export function segmentCopyName(segmentId: string): string {
  return `${SEGMENT_COPIES}${segmentId}${SEGMENT_SUFFIX}`;
}

export function toSegmentId(name: string): string {
  return name.slice(SEGMENT_COPIES.length, -SEGMENT_SUFFIX.length);
}

export function organizationOfReport(name: string): string {
  return at(name.slice(SALES_REPORTS.length).split('/'), 0);
}
