import type { FunnelReport as Report } from '../../../../clients/api/src/index.ts';
import { calendarDay, dayIn, exactNumber, rate, signedPoints, UNKNOWN } from '../../format.ts';
import { Table } from '../../parts/table.tsx';
import { funnels as t } from '../../texts/funnels.ts';

type Step = NonNullable<Report['comparison']>['steps'][number];

/** A difference in percentage points, with its interval. */
function shownDifference(rates: Step['fromPrevious']): string {
  if (!rates || rates.difference === null || rates.low === null || rates.high === null) {
    return UNKNOWN;
  }
  return `${signedPoints(rates.difference)} (${signedPoints(rates.low)} … ${signedPoints(rates.high)})`;
}

type Comparison = NonNullable<Report['comparison']>;

/** Each step now and in the window before, with the interval of the difference. */
export function ComparedSteps({ report, comparison }: { report: Report; comparison: Comparison }) {
  const { window, people, verdict } = comparison;
  const day = (iso: string) => calendarDay(dayIn(iso, report.timezone));
  const span = `${day(window.from)} – ${day(window.to)}`;
  if (verdict !== 'ready') {
    return <p class="notice">{t.fewBefore(span, people, report.minimumPeople)}</p>;
  }
  return (
    <Table
      caption={t.before(span)}
      rows={comparison.steps}
      keyOf={({ index }) => String(index)}
      csvName="funnel-compared"
      columns={[
        {
          label: t.step,
          show: ({ index }) => report.steps[index - 1]?.label ?? String(index),
        },
        {
          label: t.peopleBefore,
          number: true,
          show: (step) => (step.people === null ? '–' : exactNumber(step.people)),
          plain: (step) => step.people,
        },
        {
          label: t.rateBefore,
          number: true,
          show: ({ fromPrevious }) => rate(fromPrevious?.before ?? null),
          plain: ({ fromPrevious }) => fromPrevious?.before ?? null,
        },
        {
          label: t.rateNow,
          number: true,
          show: ({ fromPrevious }) => rate(fromPrevious?.now ?? null),
          plain: ({ fromPrevious }) => fromPrevious?.now ?? null,
        },
        {
          label: t.difference,
          number: true,
          show: ({ fromPrevious }) => shownDifference(fromPrevious),
          plain: ({ fromPrevious }) => fromPrevious?.difference ?? null,
        },
      ]}
    />
  );
}
