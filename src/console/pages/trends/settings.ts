import type { AddressChange } from '../../state/address-query.ts';
import type { Ask, TrendAsk } from '../../state/ask.ts';
import { lineIn } from '../../state/sent-values.ts';
import { plainSeries } from '../questions/from-page.ts';
import { useQuestionSettings } from '../questions/settings.ts';

export const KINDS = ['line', 'area', 'bar'] as const;
export type Kind = (typeof KINDS)[number];

const USUAL: TrendAsk = { kind: 'trend', series: [{}], measure: { of: 'people' } };

export function useTrendSettings() {
  const settings = useQuestionSettings('trends');
  const { query, ask: asked } = settings;
  const ask = asked.kind === 'trend' ? asked : USUAL;
  const plain = plainSeries(ask);
  const isRatio = query.chart === 'ratio' && plain !== undefined;
  const ofRatio = (next: Ask): AddressChange | undefined =>
    isRatio && next.kind === 'trend' && next.measure.of === ask.measure.of && plainSeries(next)
      ? { chart: 'ratio' }
      : undefined;
  return {
    ...settings,
    ...(isRatio && {
      ...{ interval: 'day' as const, intervals: [] },
      frame: { ...settings.frame, interval: 'day' as const },
    }),
    setAsk: (next: Ask, others = ofRatio(next)) => settings.setAsk(next, others),
    ...{ ask, plain, isRatio },
    draw: KINDS.find((one) => one === query.draw) ?? 'line',
    only: lineIn(query.only),
    /** The place whose people are listed, and of which line; of all without it. */
    point: query.point,
    of: query.of,
  };
}

export type TrendSettings = ReturnType<typeof useTrendSettings>;
