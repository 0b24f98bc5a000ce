import type { PurchasesOverview as Overview } from '../../../../clients/api/src/index.ts';
import { exactNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Legend, TimeChart } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { subscribers as t } from '../../texts/subscribers.ts';

const PLOT_PX = 210;
const LOOKS = { solid: 'full', hatch: 'open', pale: 'pale' } as const;

/** Paid + still running + stopped = started. */
export function Trials({ overview }: { overview: Overview }) {
  const { cohorts } = overview.trialConversion;
  const parts = [
    { key: 'paid', name: t.converted, of: 'converted', slot: 3, fill: 'solid' },
    { key: 'running', name: t.stillPending, of: 'pending', slot: 3, fill: 'hatch' },
    { key: 'stopped', name: t.abandoned, of: 'abandoned', slot: 'other', fill: 'pale' },
  ] as const;
  return (
    <Card
      title={t.cohorts}
      actions={
        <Legend items={parts.map(({ name, slot, fill }) => ({ name, slot, look: LOOKS[fill] }))} />
      }
    >
      {cohorts.length === 0 ? (
        <Empty icon={icons.subscribers} title={t.noTrials} />
      ) : (
        <TimeChart
          kind="bar"
          hasLegend
          title={t.cohorts}
          csvName="trials"
          height={PLOT_PX}
          days={cohorts.map(({ day }) => day)}
          series={parts.map(({ key, name, of, slot, fill }) => ({
            key,
            name,
            slot,
            fill,
            values: cohorts.map((cohort) => cohort[of]),
          }))}
          format={{ show: exactNumber, isWhole: true }}
          zone="UTC"
        />
      )}
    </Card>
  );
}
