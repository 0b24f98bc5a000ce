import { useSignal } from '@preact/signals';
import { controls as t } from '../texts/controls.ts';
import { api } from './api.ts';
import { FIELDS } from './filter-rules.ts';
import { useQuery } from './query.ts';
import { mergedProperties, type SentDimension, type SentName, valueLabel } from './sent-values.ts';

export { dimensionLabel, type SentDimension, valueLabel } from './sent-values.ts';

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
