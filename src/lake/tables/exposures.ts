import { eventFilesSql, type FileStats, type ReadableFile } from '../../event-store/read.ts';
import { EXPOSURE_EVENT } from '../../shared/exposure-event.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { Field, PartitionSpec, TableDefinition } from '../format/types.ts';
import { EVENTS } from './events.ts';

const fields: readonly Field[] = [
  { id: 1, name: 'org_id', type: 'string' },
  { id: 2, name: 'app_id', type: 'string' },
  { id: 3, name: 'environment', type: 'string' },
  { id: 4, name: 'event_id', type: 'string' },
  { id: 5, name: 'experiment_id', type: 'string' },
  { id: 6, name: 'arm_id', type: 'string' },
  { id: 7, name: 'is_overridden', type: 'boolean' },
  { id: 8, name: 'anonymous_id', type: 'string' },
  { id: 9, name: 'user_id', type: 'string' },
  { id: 10, name: 'person_id', type: 'string' },
  { id: 11, name: 'occurred_at', type: 'timestamptz' },
  { id: 12, name: 'received_at', type: 'timestamptz' },
];
const fieldId = (name: string) => fields.find((field) => field.name === name)?.id ?? 0;
const nameIn = (id: number) => EVENTS.fields.find((field) => field.id === id)?.name ?? '';

const specs = EVENTS.specs.map(
  (spec): PartitionSpec => ({
    ...spec,
    fields: spec.fields.map((part) => ({ ...part, sourceId: fieldId(nameIn(part.sourceId)) })),
  }),
);

export const EXPOSURES: TableDefinition = {
  name: 'exposures',
  doc: 'Who saw an arm of an experiment: the events that say so, in files of their own',
  fields,
  specs,
  sortedBy: ['app_id', 'person_id', 'occurred_at'].map(fieldId),
};

/** By the name bounds. */
export function mayHaveExposures({ name }: FileStats): boolean {
  if (name?.min === undefined || name.max === undefined) return true;
  return name.min <= EXPOSURE_EVENT && EXPOSURE_EVENT <= name.max;
}

export const exposuresSql = (file: ReadableFile) => `(
  SELECT *, json_extract_string(props, '/experiment') AS experiment_id,
    json_extract_string(props, '/arm') AS arm_id,
    json_extract_string(props, '/overridden') IS NOT NULL AS is_overridden
  FROM ${eventFilesSql([file])} WHERE name = ${textLiteral(EXPOSURE_EVENT)})`;
