import { propertyOf } from '../../selection/conditions.ts';
import type { Dimension } from '../../selection/dimension.ts';
import { fieldsOf, PERSON, type RowTest } from '../../selection/row-test.ts';
import { isSenderField } from './row-matcher.ts';

/** What projections must hold of rows beside name, person and time. */
export type Held = {
  wantsSenders?: boolean;
  /** Of one event, or of all that clients send. */
  properties?: readonly { event: string | null; prop: string }[];
};

type Fields = { test: RowTest | null; by?: Dimension | null; events: readonly string[] | null };

const fieldOf = (by: Dimension): string => (by.kind === 'prop' ? `prop:${by.prop}` : by.kind);

/** Null for what no projection holds. */
export function heldFor(all: readonly Fields[]): Held | null {
  const asked = all.flatMap(({ test, by, events }) => {
    const fields = [...(test ? fieldsOf(test) : []), ...(by ? [fieldOf(by)] : [])];
    return fields.flatMap((field) => (events ?? [null]).map((event) => ({ field, event })));
  });
  const properties = asked.flatMap(({ field, event }) => {
    const prop = propertyOf(field);
    return prop === null ? [] : [{ event, prop }];
  });
  const isHeld = ({ field }: { field: string }) =>
    field === 'name' || field === PERSON || isSenderField(field) || propertyOf(field) !== null;
  if (!asked.every(isHeld)) return null;
  return {
    ...(asked.some(({ field }) => isSenderField(field)) && { wantsSenders: true }),
    ...(properties.length > 0 && { properties }),
  };
}
