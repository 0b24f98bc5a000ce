import { dayWithWeekday, whenInZone } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import { downloadCsv } from '../../parts/download.ts';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { RangeControl } from '../../parts/range/range.tsx';
import { Loaded, SkeletonCard } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { knownDays } from '../../state/app-figures.ts';
import { useApps } from '../../state/apps.ts';
import type { App } from '../../state/place.ts';
import { type RangeState, useRange } from '../../state/range.ts';
import { whyNotEdit } from '../../state/session.ts';
import { home as t } from '../../texts/home.ts';
import { AddAppDialog } from './add-app.tsx';
import { Apps, AppsSkeleton, appCsv } from './apps.tsx';
import { AppsChart } from './chart.tsx';
import { ThreeDoors } from './doors.tsx';
import { WorthALook } from './looks.tsx';
import { type Overview, useOverview } from './overview.ts';
import { Totals } from './totals.tsx';

const NO_APPS: readonly App[] = [];

function footOf({ dataThrough, sales, rows }: Overview, range: RangeState): string[] {
  const { data } = sales.value;
  const through = data?.freshness.coveredThrough;
  const { known, of } = data ? knownDays(data, range) : { known: 0, of: 0 };
  const currency = data?.currency ?? rows.find(({ revenue }) => revenue)?.revenue?.currency;
  return [
    ...(dataThrough ? [t.foot.events(whenInZone(dataThrough, range.timezone))] : []),
    ...(through ? [t.foot.store(dayWithWeekday(through), known, of)] : []),
    ...(currency ? [t.foot.money(currency)] : []),
  ];
}

const HomeSkeleton = () => (
  <>
    <SkeletonCard class="home-totals" shape="kpis" />
    <AppsSkeleton count={2} />
  </>
);

export function Home() {
  const apps = useApps();
  const range = useRange();
  const { data } = apps.value;
  const overview = useOverview(data ?? NO_APPS, range);
  const [adding, setAdding] = useSetting('add', '');
  const isEmpty = data?.length === 0;
  const add = () => setAdding('app');
  const why = whyNotEdit.value;
  return (
    <Page
      question={t.question}
      help="console"
      actions={
        !isEmpty && (
          <>
            <span class="wide-only">
              <ExportMenu
                items={[
                  {
                    label: t.apps,
                    save: () => downloadCsv('apps.csv', appCsv(overview.rows)),
                  },
                ]}
              />
            </span>
            <RangeControl />
            <span class="wide-only">
              <Button kind="primary" icon={icons.add} onClick={add} disabledWhy={why}>
                {t.add.act}
              </Button>
            </span>
          </>
        )
      }
      foot={isEmpty ? [] : footOf(overview, range)}
    >
      <Loaded query={apps} skeleton={<HomeSkeleton />}>
        {() =>
          isEmpty ? (
            <ThreeDoors onAdd={add} addWhyNot={why} />
          ) : (
            <>
              <Totals overview={overview} range={range} />
              <Apps overview={overview} />
              <div class="grid seven-five stretch home-pictures">
                <AppsChart overview={overview} range={range} />
                <WorthALook overview={overview} />
              </div>
            </>
          )
        }
      </Loaded>
      <AddAppDialog isOpen={adding === 'app'} onClose={() => setAdding('')} />
    </Page>
  );
}
