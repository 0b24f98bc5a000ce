import { useSignal } from '@preact/signals';
import { controls as t } from '../texts/controls.ts';
import { api } from './api.ts';
import { type Dimension, FIELDS, isProperty, propertyOf } from './filters.ts';
import { useQuery } from './query.ts';

export type SentName = { name: string; events: number };
export type SentValue = { value: string; label: string; events?: number; people?: number };
export type SentDimension = {
  dimension: Dimension;
  label: string;
  values: readonly SentValue[];
};

/** What an app really sent: names of events, and the values of their fields and properties. */
export type Sent = {
  names: readonly SentName[];
  dimensions: readonly SentDimension[];
  /** Something of it is still on its way. */
  isFetching: boolean;
  /** Asks for it; pickers do when they open. */
  load: () => void;
};

/** Names whose properties are offered where no event is chosen. */
const NAMES_LOOKED_AT = 3;

const regions = new Intl.DisplayNames(['en'], { type: 'region' });

const isPlatform = (value: string): value is keyof typeof t.platforms => value in t.platforms;

/** A country by its name, where it is one. */
export function countryName(code: string): string {
  try {
    return regions.of(code.toUpperCase()) ?? code;
  } catch {
    return code;
  }
}

/** The name of a value as a reader knows it. */
export function valueLabel(dimension: Dimension, value: string): string {
  if (value === 'unknown') return t.unknown;
  if (dimension === 'platform') return isPlatform(value) ? t.platforms[value] : value;
  return dimension === 'country' ? countryName(value) : value;
}

export const dimensionLabel = (dimension: Dimension): string =>
  isProperty(dimension) ? propertyOf(dimension) : t.fields[dimension];

type Properties = Awaited<ReturnType<typeof api.listEventProperties>>['properties'];

/** Properties of several events as one list, those of most events first. */
export function mergedProperties(lists: readonly Properties[]): SentDimension[] {
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

type Environment = 'production' | 'development' | 'all';

function useFieldValues(appId: string, days: number, environment: Environment, enabled: boolean) {
  const query = { days, environment };
  const key = `${appId} ${days} ${environment}`;
  const summary = useQuery(
    `sent ${key}`,
    (signal) => api.getEventSummary({ id: appId, query }, { signal }),
    { enabled },
  );
  const countries = useQuery(
    `sent countries ${key}`,
    (signal) =>
      api.getEventSeries(
        { id: appId, query: { ...query, interval: 'month', breakdown: 'country', compare: false } },
        { signal },
      ),
    { enabled },
  );
  const { data } = summary.value;
  const people: { [Field in (typeof FIELDS)[number]]: { value: string; people: number }[] } = {
    platform: (data?.platforms ?? []).map((one) => ({ value: one.platform, people: one.people })),
    appVersion: (data?.versions ?? []).map((one) => ({
      value: one.appVersion,
      people: one.people,
    })),
    country: (countries.value.data?.series ?? [])
      .filter(({ rest }) => !rest)
      .map(({ key: value, totals }) => ({ value, people: totals.people })),
  };
  return {
    names: data?.names ?? [],
    fields: FIELDS.map((dimension) => ({
      dimension,
      label: t.fields[dimension],
      values: people[dimension].map((one) => ({
        ...one,
        label: valueLabel(dimension, one.value),
      })),
    })),
    isFetching: summary.value.isFetching || countries.value.isFetching,
  };
}

/**
 * What an app sent in the last so many days. Properties are those of the given events, or of the
 * most frequent ones.
 */
export function useSent(
  appId: string,
  options: { names?: readonly string[]; days: number; environment?: Environment },
): Sent {
  const { days, environment = 'production' } = options;
  const isWanted = useSignal(false);
  const { names, fields, isFetching } = useFieldValues(appId, days, environment, isWanted.value);
  const chosen = options.names ?? [];
  const looked =
    chosen.length > 0 ? chosen : names.slice(0, NAMES_LOOKED_AT).map((one) => one.name);
  const properties = useQuery(
    `properties ${appId} ${days} ${environment} ${looked.join()}`,
    async (signal) => {
      const lists = await Promise.all(
        looked.map((name) =>
          api.listEventProperties({ id: appId, query: { name, days, environment } }, { signal }),
        ),
      );
      return mergedProperties(lists.map((list) => list.properties));
    },
    { enabled: isWanted.value && looked.length > 0 },
  );
  return {
    names,
    dimensions: [...fields, ...(properties.value.data ?? [])],
    isFetching: isFetching || properties.value.isFetching,
    load: () => {
      isWanted.value = true;
    },
  };
}
