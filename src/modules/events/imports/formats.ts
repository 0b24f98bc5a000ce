import { parseExact } from '../../../shared/exact-json.ts';
import { amplitude } from './amplitude.ts';
import { type Fields, toFields, type ImportedEvent } from './event.ts';
import { firebase } from './firebase.ts';
import { mixpanel } from './mixpanel.ts';
import { own } from './own.ts';
import { posthog, posthogRow } from './posthog.ts';
import { type ExportedRecord, NOT_UTF8 } from './records.ts';

const READERS = { posthog, mixpanel, amplitude, firebase, own } as const;

export type ImportFormat = keyof typeof READERS;
export const IMPORT_FORMATS = [
  'posthog',
  'mixpanel',
  'amplitude',
  'firebase',
  'own',
] as const satisfies readonly ImportFormat[];

export function recognise(line: Fields): ImportFormat | null {
  if (typeof line.event_type === 'string') return 'amplitude';
  if (typeof line.event_name === 'string' && 'event_timestamp' in line) return 'firebase';
  if (Array.isArray(line.events) || ('name' in line && 'anonymousId' in line)) return 'own';
  if (typeof line.event !== 'string') return null;
  return 'uuid' in line || 'distinct_id' in line ? 'posthog' : 'mixpanel';
}

/** Throws for invalid JSON or a damaged line. */
export function readRecord(record: ExportedRecord): Fields {
  if (record === NOT_UTF8) throw new Error('it is not UTF-8');
  if (typeof record !== 'string') return posthogRow(record);
  return toFields(parseExact(record));
}

export const toImported = (format: ImportFormat, line: Fields): ImportedEvent[] =>
  READERS[format](line);
