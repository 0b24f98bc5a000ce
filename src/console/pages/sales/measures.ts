import type { Analytics } from '../../../../clients/api/src/index.ts';
import { exactNumber, money, wholeUnits } from '../../format.ts';
import { moneyFormat } from '../../parts/chart/formats.ts';
import type { Format } from '../../parts/chart/index.ts';

export const MEASURES = [
  'proceedsMinor',
  'customerSpendMinor',
  'downloads',
  'subscriptionUnits',
  'iapUnits',
  'trials',
  'refunds',
] as const;
export type Measure = (typeof MEASURES)[number];

export const SHOWN = MEASURES.filter((measure) => measure !== 'customerSpendMinor');

export const measureOf = (text: string): Measure =>
  MEASURES.find((one) => one === text) ?? 'proceedsMinor';

export const isMoney = (measure: Measure): boolean => measure.endsWith('Minor');

export const drawnValue = (value: number, measure: Measure, currency: string): number =>
  isMoney(measure) ? wholeUnits(value, currency) : value;

export const shownValue = (value: number, measure: Measure, currency: string): string =>
  isMoney(measure) ? money(value, currency) : exactNumber(value);

/** More of everything is better, but of refunds. */
export const goodWhen = (measure: Measure): 'up' | 'down' =>
  measure === 'refunds' ? 'down' : 'up';

export function formatOf(measure: Measure, currency: string): Format {
  if (!isMoney(measure)) return { show: exactNumber, isWhole: true, goodWhen: goodWhen(measure) };
  return moneyFormat(currency);
}

export const knownDays = ({ series }: Pick<Analytics, 'series'>): number =>
  series.filter(({ covered }) => covered).length;
