import type { Operations } from '../../../../clients/api/src/index.ts';

export type Level = NonNullable<NonNullable<Operations['listLogs']['input']['query']>['level']>;
export type Page = Operations['listLogs']['output'];
export type Entry = {
  id: string;
  timestamp: string;
  level: string;
  service: string;
  message: string;
  fields: string;
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

export function entryOf(found: Record<string, unknown>): Entry {
  const { fields } = found;
  return {
    id: textOf(found.id),
    timestamp: textOf(found.timestamp),
    level: textOf(found.level),
    service: textOf(found.service),
    message: textOf(found.message),
    fields: fields && JSON.stringify(fields) !== '{}' ? JSON.stringify(fields, null, 1) : '',
  };
}
