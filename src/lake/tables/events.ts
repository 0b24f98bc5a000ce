import { EVENT_FILE_COLUMNS, type FileStats } from '../../event-store/read.ts';
import type {
  DataFile,
  Field,
  PartitionSpec,
  PartitionValue,
  TableDefinition,
} from '../format/types.ts';
import { transformed } from '../format/values.ts';

const TYPES = {
  VARCHAR: 'string',
  UUID: 'uuid',
  TIMESTAMPTZ: 'timestamptz',
  BIGINT: 'long',
  INTEGER: 'int',
  BOOLEAN: 'boolean',
} as const;

const fields = EVENT_FILE_COLUMNS.map(
  ({ name, type, id }): Field => ({ id, name, type: TYPES[type] }),
);
const fieldId = (name: string) => fields.find((field) => field.name === name)?.id ?? 0;

const APP = {
  sourceId: fieldId('app_id'),
  id: 1000,
  name: 'app_id',
  transform: 'identity',
} as const;
const OCCURRED = fieldId('occurred_at');

/** By file level: shared, one app and day, one app and month. */
const SPECS: readonly PartitionSpec[] = [
  { id: 0, fields: [] },
  {
    id: 1,
    fields: [APP, { sourceId: OCCURRED, id: 1001, name: 'occurred_at_day', transform: 'day' }],
  },
  {
    id: 2,
    fields: [APP, { sourceId: OCCURRED, id: 1002, name: 'occurred_at_month', transform: 'month' }],
  },
];

export const EVENTS: TableDefinition = {
  name: 'events',
  doc: 'Events of every organization',
  fields,
  specs: SPECS,
  sortedBy: ['app_id', 'person_id', 'occurred_at', 'arrival', 'batch_index'].map(fieldId),
};

export type UnpublishedFile = {
  path: string;
  level: number;
  rows: number;
  bytes: number;
  stats: FileStats | null;
};

/** Null for several. */
function toPartition({ fields: parts }: PartitionSpec, stats: FileStats): PartitionValue[] | null {
  const values: PartitionValue[] = [];
  for (const { sourceId, transform } of parts) {
    const name = fields.find(({ id }) => id === sourceId)?.name ?? '';
    const column = stats[name];
    if (column?.min === undefined || column.max === undefined || column.nulls > 0) return null;
    const [least, greatest] = [column.min, column.max].map((text) => transformed(transform, text));
    if (least === undefined || least === null || least !== greatest) return null;
    values.push(least);
  }
  return values;
}

/** Unpartitioned unless statistics prove a single partition. */
export function eventDataFile({ level, ...file }: UnpublishedFile, stats: FileStats): DataFile {
  const spec = SPECS[level];
  const partition = spec ? toPartition(spec, stats) : null;
  const placed = spec && partition ? { specId: spec.id, partition } : { specId: 0, partition: [] };
  return { path: file.path, rows: file.rows, bytes: file.bytes, stats, ...placed };
}
