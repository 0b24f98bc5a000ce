import { parseExact } from '../../../shared/exact-json.ts';
import { isRecord } from '../../../shared/record.ts';
import { amplitude } from './amplitude.ts';
import { type Fields, toFields, type ImportedEvent } from './event.ts';
import { firebase } from './firebase.ts';
import { mixpanel } from './mixpanel.ts';
import { OWN_COLUMNS, own } from './own.ts';
import { posthog, posthogRow } from './posthog.ts';
import type { ExportedRecord } from './records.ts';
import { isSegmentType, segmentLine } from './segment.ts';

const READERS = { posthog, mixpanel, amplitude, firebase, segment: segmentLine, own } as const;

export type ImportFormat = keyof typeof READERS;
export const IMPORT_FORMATS = [
  'posthog',
  'mixpanel',
  'amplitude',
  'firebase',
  'segment',
  'own',
] as const satisfies readonly ImportFormat[];

export const ZONED_FORMATS: readonly ImportFormat[] = ['mixpanel', 'posthog', 'segment'];

const SEGMENT_IDS = ['messageId', 'anonymousId', 'userId'];

export function recognise(line: Fields): ImportFormat | null {
  const { type, event, properties } = line;
  if (isSegmentType(type) && SEGMENT_IDS.some((name) => name in line)) return 'segment';
  if (typeof line.event_type === 'string' && 'event_time' in line) return 'amplitude';
  if (typeof line.event_name === 'string' && 'event_timestamp' in line) return 'firebase';
  if (Array.isArray(line.events) || ('name' in line && 'anonymousId' in line)) return 'own';
  if (typeof event !== 'string') return null;
  if ('uuid' in line || 'distinct_id' in line) return 'posthog';
  return isRecord(properties) && 'time' in properties ? 'mixpanel' : null;
}

const HOLDS_PROPERTIES: Partial<Record<ImportFormat, string>> = {
  amplitude: 'event_properties',
  firebase: 'event_params',
  posthog: 'properties',
};
const FLATTENED = /^(\*\.)?properties\./;
const ONLY_LINES: readonly ImportFormat[] = ['mixpanel', 'segment'];

function checkTable(row: Readonly<Record<string, string>>, format: ImportFormat): void {
  if (ONLY_LINES.includes(format)) throw new Error(`${format} is read from JSON lines, not CSV`);
  const names = Object.keys(row);
  const other = format === 'own' && names.find((name) => !OWN_COLUMNS.has(name));
  if (other) throw new Error(`${other}: not a field of an event; write JSON lines with props`);
  const column = HOLDS_PROPERTIES[format];
  const isFlat = format === 'posthog' && names.some((name) => FLATTENED.test(name));
  if (column !== undefined && !names.includes(column) && !isFlat) {
    throw new Error(`${column}: the table needs this column, with JSON; or export JSON lines`);
  }
}

/** Throws for invalid JSON or a damaged line. */
export function readRecord(record: ExportedRecord, format?: ImportFormat): Fields {
  if (typeof record === 'symbol') throw new Error(record.description);
  if (typeof record === 'string') return toFields(parseExact(record));
  if (format !== undefined) checkTable(record, format);
  return posthogRow(record);
}

export const toImported = (format: ImportFormat, line: Fields, zone?: string): ImportedEvent[] =>
  READERS[format](line, zone);
