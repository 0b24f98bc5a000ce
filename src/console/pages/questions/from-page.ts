import type { EventSelection, Funnel } from '../../../../clients/api/src/index.ts';
import type { AddressChange } from '../../state/address-query.ts';
import { type Ask, askParameters } from '../../state/ask.ts';
import { conditionsOf, type Said } from '../../state/conditions.ts';
import { dimensionOf, filtersOf } from '../../state/filter-rules.ts';

type Parameters = Readonly<Record<string, string | undefined>>;

const selectionOf = (name: string | undefined, said: readonly Said[]): EventSelection => {
  const where = conditionsOf({ word: 'all', parts: said });
  return { ...(name && { events: [name] }), ...(where && { where }) };
};

const saidBy = (parameters: Parameters): Said[] =>
  filtersOf(parameters).map(({ dimension, value }) => ({
    ...{ field: dimension, operator: 'is', values: [value] },
  }));

function trendFrom(parameters: Parameters): Ask {
  const { event = '', chart, breakdown = '' } = parameters;
  const names = event.split(',').filter(Boolean);
  const said = saidBy(parameters);
  const by = dimensionOf(breakdown);
  return {
    kind: 'trend',
    series: (names.length > 0 ? names : [undefined]).map((name) => selectionOf(name, said)),
    measure: { of: chart === 'events' ? 'events' : 'people' },
    ...(by && names.length < 2 && { breakdown: by }),
  };
}

function funnelFrom({ steps }: Funnel, parameters: Parameters): Ask {
  const { where } = selectionOf(undefined, saidBy(parameters));
  const hours = Number(parameters.windowHours);
  return {
    kind: 'funnel',
    steps: steps.map(({ event, where: one }) =>
      selectionOf(
        event,
        one ? [{ field: `prop:${one.prop}`, operator: 'is', values: [one.equals] }] : [],
      ),
    ),
    ...(where && { where }),
    ...(hours > 0 && { windowHours: hours }),
    ...(parameters.people === 'new' && { people: 'new' as const }),
  };
}

function retentionFrom({ starts, returns, cohort, criterion }: Parameters): Ask {
  return {
    kind: 'retention',
    starts: [selectionOf(starts, [])],
    return: selectionOf(returns, []),
    ...(cohort === 'recurring' && { cohort }),
    ...(criterion === 'on_or_after' && { criterion }),
  };
}

export function askFrom(parameters: Parameters, funnels: readonly Funnel[] | undefined) {
  switch (parameters.as) {
    case 'trend':
      return trendFrom(parameters);
    case 'retention':
      return retentionFrom(parameters);
    case 'funnel': {
      const funnel = funnels?.find(({ id }) => id === parameters.funnel) ?? funnels?.[0];
      return funnel && funnelFrom(funnel, parameters);
    }
  }
}

const OF_PAGES = [
  ...['as', 'event', 'breakdown', 'chart', 'draw', 'only', 'point', 'of', 'platform', 'country'],
  ...['appVersion', 'property', 'funnel', 'people', 'windowHours', 'step', 'list', 'entered'],
  ...['starts', 'returns', 'cohort', 'criterion', 'clock', 'cell', 'edit'],
];

export const cameFrom = (ask: Ask): AddressChange => ({
  ...Object.fromEntries(OF_PAGES.map((name) => [name, undefined])),
  ...askParameters(ask),
});
