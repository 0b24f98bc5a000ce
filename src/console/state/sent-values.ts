import { EVENT_FIELDS } from '../../shared/event-fields.ts';
import { upper } from '../format.ts';
import { controls as t } from '../texts/controls.ts';
import { type Dimension, isProperty, propertyOf } from './filter-rules.ts';

/** No value: stored text is well formed. */
export const REST = '\ud800';

/** An address holds no half of a character. */
export const lineIn = (text: string | undefined): string | undefined =>
  text?.replace(/^\ufffd/, REST);

export type SentName = { name: string; events: number };
export type SentValue = { value: string; label: string; events?: number; people?: number };
export type SentDimension = {
  dimension: Dimension;
  label: string;
  values: readonly SentValue[];
};

const regions = new Intl.DisplayNames(['en'], { type: 'region' });

const isPlatform = (value: string): value is keyof typeof t.platforms => value in t.platforms;

export function countryName(code: string): string {
  try {
    return regions.of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

export function valueLabel(dimension: Dimension, value: string): string {
  if (value === 'unknown') return t.unknown;
  if (dimension === 'platform') return isPlatform(value) ? t.platforms[value] : value;
  return dimension === 'country' ? countryName(value) : value;
}

export const dimensionLabel = (dimension: Dimension): string =>
  isProperty(dimension)
    ? propertyOf(dimension)
    : upper(dimension === 'arm' ? t.arm : EVENT_FIELDS[dimension].label);

type Property = {
  name: string;
  events: number;
  values: readonly { value: string; events: number }[];
};

export function mergedProperties(lists: readonly (readonly Property[])[]): SentDimension[] {
  const merged = new Map<string, { events: number; values: Map<string, number> }>();
  for (const { name, events, values } of lists.flat()) {
    const known = merged.get(name) ?? { events: 0, values: new Map<string, number>() };
    known.events += events;
    for (const one of values) {
      known.values.set(one.value, (known.values.get(one.value) ?? 0) + one.events);
    }
    merged.set(name, known);
  }
  return [...merged]
    .sort(([, one], [, other]) => other.events - one.events)
    .map(([name, { values }]) => ({
      dimension: `prop:${name}`,
      label: name,
      values: [...values]
        .sort(([, one], [, other]) => other - one)
        .map(([value, events]) => ({ value, label: value, events })),
    }));
}
