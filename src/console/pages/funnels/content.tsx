import { momentIn } from '../../format.ts';
import type { ExportItem } from '../../parts/chart/export-menu.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { drawnGroups, referenceOf } from './groups.ts';
import type { Asked } from './queries.ts';
import { Report, shownGroups } from './report.tsx';
import type { FunnelSettings } from './settings.ts';
import type { Source } from './source.ts';
import { saveSteps } from './steps-table.tsx';

export function footOf({ report, isWithToday }: Asked, settings: FunnelSettings) {
  const { timezone, dataThrough } = report;
  const groups = shownGroups(report, settings.isBreakdownDefault);
  const { group } = referenceOf(report, groups);
  const immature = report.people - report.maturePeople;
  const isReady = report.verdict === 'ready';
  return [
    isReady && drawnGroups(groups).length > 0 && t.certainAgainst(group?.name ?? t.allOf),
    isReady && immature > 0 && t.immature(immature),
    isWithToday && t.withToday,
    t.through(timezone, momentIn(dataThrough, timezone)),
  ];
}

export function exportsOf({ report }: Asked, { isBreakdownDefault }: FunnelSettings): ExportItem[] {
  const save = () => saveSteps(report, shownGroups(report, isBreakdownDefault));
  return report.verdict === 'ready' ? [{ label: t.table, save }] : [];
}

const loadTooFew = () => import('./by-use.ts');

export function Content(props: { asked: Asked; settings: FunnelSettings; source: Source }) {
  const { asked, settings, source } = props;
  const { funnelAsk: ask, range, setAsk } = settings;
  const { report, days } = asked;
  const { module: few } = useModule(loadTooFew, report.verdict !== 'ready');
  return (
    <>
      {report.hint && report.people > 0 && <p class="notice">{report.hint}</p>}
      {report.verdict === 'ready' ? (
        <Report
          {...{ asked, settings, source }}
          onRange={(dates) => range.setRange({ kind: 'dates', ...dates })}
        />
      ) : few ? (
        <few.TooFew
          {...{ report, days, source }}
          onEverybody={
            ask && report.filters.people === 'new'
              ? () => setAsk({ ...ask, people: 'all' })
              : undefined
          }
        />
      ) : (
        <Skeleton shape="plot" />
      )}
    </>
  );
}
