import { isSenderField } from '../../../shared/event-fields.ts';
import { toPropertyName } from '../../selection/conditions.ts';
import type { Dimension, FirstDimension } from '../../selection/dimension.ts';
import { testFields, PERSON, type RowTest } from '../../selection/row-test.ts';

export type Held = {
  wantsSenders?: boolean;
  wantsAll?: boolean;
  firsts?: readonly FirstDimension[];
  properties?: readonly HeldProperty[];
};

/** `isListed`: all of its values are numbered, not only tried. */
export type HeldProperty = { event: string | null; prop: string; isListed: boolean };

export function openedFor(held: Held | null): { projections: boolean; properties: string[] } {
  const names = held?.properties?.map(({ prop }) => prop) ?? [];
  return { projections: held !== null, properties: [...new Set(names)] };
}

type Fields = {
  test: RowTest | null;
  by?: Dimension | null;
  number?: string | null;
  events: readonly string[] | null;
};

const toField = (by: Dimension): string => (by.kind === 'prop' ? `prop:${by.prop}` : by.kind);

const isFirst = (by: Dimension | null | undefined): by is FirstDimension => by?.kind === 'first';

/** Null for what no projection holds. */
export function heldFor(all: readonly Fields[]): Held | null {
  const asked = all.flatMap(({ test, by, number = null, events }) => {
    const tried = [
      ...(test ? testFields(test) : []),
      ...(number === null ? [] : [`prop:${number}`]),
    ];
    const fields = [
      ...tried.map((field) => ({ field, isListed: false })),
      ...(by && !isFirst(by) ? [{ field: toField(by), isListed: true }] : []),
    ];
    const ofFirst = isFirst(by) ? [{ field: toField(by.of), isListed: true, event: null }] : [];
    return [
      ...fields.flatMap((field) => (events ?? [null]).map((event) => ({ ...field, event }))),
      ...ofFirst,
    ];
  });
  const properties = asked.flatMap(({ field, event, isListed }) => {
    const prop = toPropertyName(field);
    return prop === null ? [] : [{ event, prop, isListed }];
  });
  const isHeld = ({ field }: { field: string }) =>
    field === 'name' || field === PERSON || isSenderField(field) || toPropertyName(field) !== null;
  if (!asked.every(isHeld)) return null;
  const firsts = all.flatMap(({ by }) => (isFirst(by) ? [by] : []));
  return {
    ...(firsts.length > 0 && { wantsAll: true, firsts }),
    ...(asked.some(({ field }) => isSenderField(field)) && { wantsSenders: true }),
    ...(properties.length > 0 && { properties }),
  };
}
