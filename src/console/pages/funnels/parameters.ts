import type { AddressChange } from '../../state/address-query.ts';
import { type Days, isDay } from '../../state/days.ts';
import type { Dimension } from '../../state/filter-rules.ts';

export type Who = 'new' | 'all';
/** The people of one figure: who reached a step, or stopped before it. */
export type Listed = {
  step: number;
  kind: 'stopped' | 'reached';
  of: string | undefined;
  /** Where fewer than the range. */
  entered: Days | undefined;
};

export type Change = {
  funnel?: string | undefined;
  edit?: string | undefined;
  breakdown?: Dimension | 'none' | undefined;
  people?: Who | undefined;
  windowHours?: number | undefined;
  listed?: Listed | undefined;
};

const MAX_HOURS = 2_160;
export const DEFAULT_BREAKDOWN = 'appVersion';

export function hoursOf(text = ''): number | undefined {
  const hours = Number(text);
  return Number.isInteger(hours) && hours >= 1 && hours <= MAX_HOURS ? hours : undefined;
}

function enteredOf(text = ''): Days | undefined {
  const [from = '', to = ''] = text.split('..');
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined;
}

export function listedOf(query: Readonly<Record<string, string | undefined>>): Listed | undefined {
  const step = Number(query.step);
  if (!Number.isInteger(step) || step < 1) return undefined;
  return {
    step,
    kind: query.list === 'reached' ? 'reached' : 'stopped',
    of: query.of,
    entered: enteredOf(query.entered),
  };
}

const NOT_LISTED = { step: undefined, list: undefined, of: undefined, entered: undefined };

const listedParameters = (listed: Listed | undefined) =>
  listed
    ? {
        step: String(listed.step),
        list: listed.kind === 'reached' ? 'reached' : undefined,
        of: listed.of,
        entered: listed.entered && `${listed.entered.from}..${listed.entered.to}`,
      }
    : NOT_LISTED;

export function parametersOf(change: Change): AddressChange {
  const { listed, windowHours, breakdown, ...others } = change;
  const isElsewhere = 'funnel' in change || 'breakdown' in change;
  const hours = windowHours === undefined ? undefined : String(windowHours);
  return {
    ...(('listed' in change || isElsewhere) && listedParameters(listed)),
    ...('windowHours' in change && { windowHours: hours }),
    ...('breakdown' in change && {
      breakdown: breakdown === DEFAULT_BREAKDOWN ? undefined : breakdown,
    }),
    ...others,
  };
}
