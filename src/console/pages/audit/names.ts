import type { Operations } from '../../../../clients/api/src/index.ts';
import { audit as t } from '../../texts/audit.ts';

export type Entry = Operations['listAuditEntries']['output']['entries'][number];
type Change = Entry['changes'][number];

const KNOWN = new Map<string, string>(Object.entries(t.things));
export const THINGS: readonly string[] = [...KNOWN.keys()];

export const thingName = (of: string): string => KNOWN.get(of) ?? of.replaceAll('_', ' ');

/** `deleteMark` to `Delete mark`. */
export function actName(operation: string): string {
  const words = operation.replaceAll(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`).trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function whoName({ actorKind, actorId }: Entry, names: ReadonlyMap<string, string>): string {
  if (actorKind === 'operator') return t.operator;
  if (actorId === null) return t.visitor;
  return names.get(actorId) ?? t.unknown(actorId);
}

const shown = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

export type FieldChange = { field: string; before: string; after: string };

export function fieldsOf({ before, after }: Pick<Change, 'before' | 'after'>): FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].map((field) => ({
    field,
    before: shown(before?.[field]),
    after: shown(after?.[field]),
  }));
}

export const idOf = ({ id }: Pick<Change, 'id'>): string =>
  Object.values(id ?? {})
    .map(shown)
    .join(', ');
