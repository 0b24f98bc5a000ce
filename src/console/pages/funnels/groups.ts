import type { FunnelReport } from '../../../../clients/api/src/index.ts';
import { slotOf } from '../../parts/chart/slots.ts';
import type { Slot } from '../../parts/chart/types.ts';
import { versionSlots } from '../../parts/chart/version-slots.ts';
import { dimensionOf, VERSION } from '../../state/filter-rules.ts';
import { REST, valueLabel } from '../../state/sent-values.ts';
import { byVersion } from '../../state/version-order.ts';
import { trends as t } from '../../texts/trends.ts';

export type Step = FunnelReport['steps'][number];
export type Figures = Pick<FunnelReport, 'people' | 'verdict' | 'steps' | 'overall'>;
type Breakdown = NonNullable<FunnelReport['breakdown']>;

export type Group = {
  value: string;
  name: string;
  slot: Slot;
  figures: Figures;
};

export function groupsOf({ by, values }: Breakdown): Group[] {
  const isByVersion = by === VERSION;
  const slots = versionSlots(isByVersion ? values.map(({ value }) => value) : []);
  const dimension = dimensionOf(by);
  const sorted = isByVersion
    ? values.toSorted((one, other) => byVersion(one.value, other.value))
    : values;
  const nameOf = (value: string) => (dimension ? valueLabel(dimension, value) : value);
  return sorted.map((figures, index) => ({
    value: figures.rest ? REST : figures.value,
    name: figures.rest ? t.other : nameOf(figures.value),
    slot: slots.get(figures.value) ?? slotOf(index),
    figures,
  }));
}

const hasRates = ({ figures }: Group): boolean => figures.verdict === 'ready';

/** Those that have rates, as many as there are colours. */
export const drawnGroups = (groups: readonly Group[]): Group[] =>
  groups.filter((group) => hasRates(group) && group.slot !== 'other');

/** Of versions the oldest, of others all people. */
export type Reference = { group: Group | null; figures: Figures };

export function referenceOf(
  report: Figures & { breakdown: Breakdown | null },
  groups: readonly Group[],
): Reference {
  const oldest = report.breakdown?.by === VERSION ? groups.find(hasRates) : undefined;
  return { group: oldest ?? null, figures: oldest?.figures ?? report };
}

/** Only where the intervals do not touch. */
export function certainTone(step: Step, reference: Step | undefined): 'good' | 'bad' | null {
  const { rateFromPreviousLow: low, rateFromPreviousHigh: high } = step;
  const [otherLow, otherHigh] = [
    reference?.rateFromPreviousLow ?? null,
    reference?.rateFromPreviousHigh ?? null,
  ];
  if (low === null || high === null || otherLow === null || otherHigh === null) return null;
  if (high < otherLow) return 'bad';
  return low > otherHigh ? 'good' : null;
}

export const leakOf = (steps: readonly Step[]): number =>
  steps.findIndex(({ verdict }) => verdict === 'biggest_leak');

export const isByVersion = ({ breakdown }: Pick<FunnelReport, 'breakdown'>): boolean =>
  breakdown?.by === VERSION;
