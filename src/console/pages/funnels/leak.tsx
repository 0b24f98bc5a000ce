import { rate } from '../../format.ts';
import { Interval, scaleOf, Swatch } from '../../parts/chart/index.ts';
import { TableCard } from '../../parts/list-card.tsx';
import { funnels as t } from '../../texts/funnels.ts';
import { certainTone, drawnGroups, type Group, leakOf } from './groups.ts';
import { headOr, stepWords } from './step-words.ts';
import type { StepsProps } from './steps-props.ts';
import { dimensionName } from './steps-table.tsx';

const WIDTH_PX = 104;

export function Leak({ report, groups, reference }: StepsProps) {
  const leak = leakOf(report.steps);
  const [before, step] = [report.steps[leak - 1], report.steps[leak]];
  const rows = drawnGroups(groups);
  if (!before || !step || rows.length === 0) return null;
  const at = ({ figures }: Group) => figures.steps[leak];
  const scale = scaleOf(rows.map((row) => at(row)?.rateFromPreviousHigh ?? null));
  const [from, to] = [stepWords(before), stepWords(step)];
  const title = t.leakBy(from.short, to.short.toLowerCase(), dimensionName(report).toLowerCase());
  return (
    <TableCard
      title={title}
      class="narrow-only"
      rows={rows}
      keyOf={({ value }) => value}
      csvName={null}
      columns={[
        {
          label: dimensionName(report),
          show: ({ name, slot }) => (
            <span class="group-name">
              <Swatch slot={slot} />
              <b title={name}>{name}</b>
            </span>
          ),
        },
        { label: t.leakPeople, figure: ({ figures }) => figures.people },
        {
          label: headOr(to.did, t.wentOn),
          number: true,
          show: (row) => {
            const own = at(row);
            const tone = own && certainTone(own, reference.figures.steps[leak]);
            return <b class={tone ?? undefined}>{rate(own?.rateFromPrevious ?? null)}</b>;
          },
        },
        {
          label: t.interval,
          show: (row) => (
            <Interval
              scale={scale}
              value={at(row)?.rateFromPrevious ?? null}
              low={at(row)?.rateFromPreviousLow ?? null}
              high={at(row)?.rateFromPreviousHigh ?? null}
              slot={row.slot}
              width={WIDTH_PX}
            />
          ),
        },
      ]}
    />
  );
}
