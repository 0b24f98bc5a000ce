import { useLocation } from 'preact-iso';
import { changedQuery } from '../../state/address-query.ts';
import { useQuestionSettings } from '../questions/settings.ts';
import { type Listed, listedOf, listedParameters } from './listed.ts';

export function useFunnelSettings() {
  const settings = useQuestionSettings('funnels');
  const { ask, query, funnels, change } = settings;
  const { path } = useLocation();
  const all = funnels.value.data ?? [];
  const funnel = all.find(({ id }) => id === query.funnel) ?? all[0];
  const isNamed = query.q === undefined;
  return {
    ...settings,
    funnelAsk: ask.kind === 'funnel' && (!isNamed || funnel) ? ask : undefined,
    all,
    funnel: isNamed ? funnel : undefined,
    edited: query.edit || undefined,
    /** A single value is not worth a picture then. */
    isBreakdownDefault: isNamed && query.breakdown === undefined,
    listed: listedOf(query, settings.behind),
    list: (listed: Listed | undefined) => change(listedParameters(listed)),
    hrefOf: (listed: Listed) => `${path}${changedQuery(location.search, listedParameters(listed))}`,
  };
}

export type FunnelSettings = ReturnType<typeof useFunnelSettings>;
