import { FILTER_FIELDS, type FilterField } from '../../shared/event-fields.ts';
import { api } from './api.ts';
import { VERSION } from './filter-rules.ts';
import { useQuery } from './query.ts';
import {
  dimensionLabel,
  mergedProperties,
  type SentDimension,
  type SentName,
  valueLabel,
} from './sent-values.ts';
import type { Environment, Sent } from './sent.ts';
import { useApi } from './use-api.ts';

export type SentData = {
  names: readonly SentName[];
  dimensions: readonly SentDimension[];
  isFetching: boolean;
};

/** Names whose properties are offered where no event is chosen. */
const NAMES_LOOKED_AT = 3;

function useFieldValues(appId: string, days: number, environment: Environment) {
  const query = { days, environment };
  const summary = useApi(api.getEventSummary, { id: appId, query });
  const countries = useApi(api.getEventSeries, {
    id: appId,
    query: { ...query, interval: 'month', breakdown: 'country', compare: false },
  });
  const { data } = summary.value;
  const people: Record<FilterField, { value: string; people: number }[]> = {
    platform: (data?.platforms ?? []).map((one) => ({ value: one.platform, people: one.people })),
    [VERSION]: (data?.versions ?? []).map((one) => ({
      value: one[VERSION],
      people: one.people,
    })),
    country: (countries.value.data?.series ?? [])
      .filter(({ rest }) => !rest)
      .map(({ key: value, totals }) => ({ value, people: totals.people })),
  };
  return {
    names: data?.names ?? [],
    fields: FILTER_FIELDS.map((dimension) => ({
      dimension,
      label: dimensionLabel(dimension),
      values: people[dimension].map((one) => ({
        ...one,
        label: valueLabel(dimension, one.value),
      })),
    })),
    isFetching: summary.value.isFetching || countries.value.isFetching,
  };
}

export function useSentData({ appId, names: chosen, days, environment }: Sent): SentData {
  const { names, fields, isFetching } = useFieldValues(appId, days, environment);
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
    { enabled: looked.length > 0 },
  );
  return {
    names,
    dimensions: [...fields, ...(properties.value.data ?? [])],
    isFetching: isFetching || properties.value.isFetching,
  };
}
