import { useRoute } from 'preact-iso';
import { shortNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { COUNTS } from '../../parts/chart/formats.ts';
import { TimeChart } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { marketing as t } from '../../texts/marketing.ts';
import { Accounts } from './accounts.tsx';
import { History, Scheduled } from './posts.tsx';

const FIGURES = [
  'followers',
  'reach',
  'views',
  'impressions',
  'likes',
  'comments',
  'shares',
] as const;

type Performed = Awaited<ReturnType<typeof api.getSocialPerformance>>;

/** Not given is a dash, never 0. */
function Performance({ performed }: { performed: Performed }) {
  if (performed.length === 0) return <Empty icon={icons.trends} title={t.noPerformance} />;
  return (
    <>
      <Table
        caption={t.performance}
        rows={performed}
        keyOf={({ platform }) => platform}
        csvName="performance"
        columns={[
          {
            label: t.platform,
            show: ({ platform }) => t.platforms[platform],
            plain: ({ platform }) => platform,
          },
          ...FIGURES.map((name) => ({
            label: t.figures[name],
            figure: (row: Performed[number]) => row[name],
            format: shortNumber,
          })),
        ]}
      />
      {performed.map(
        ({ platform, primaryMetric, timeseries }) =>
          primaryMetric &&
          timeseries.length > 1 && (
            <TimeChart
              key={platform}
              title={`${t.platforms[platform]}: ${t.figures[primaryMetric]}`}
              csvName={`performance-${platform}`}
              height={220}
              days={timeseries.map(({ date }) => date)}
              series={[
                {
                  key: primaryMetric,
                  name: t.figures[primaryMetric],
                  values: timeseries.map(({ value }) => value),
                },
              ]}
              format={COUNTS}
            />
          ),
      )}
    </>
  );
}

export function Marketing() {
  const appId = useRoute().params.id ?? '';
  const performance = useApi(api.getSocialPerformance, { id: appId });
  const { data, error } = performance.value;
  const isOff = error?.code === 'provider_not_configured';
  return (
    <Page question={t.question} help="marketing">
      {isOff && (
        <Card title={t.title}>
          <Empty icon={icons.marketing} title={t.notConfigured} text={t.notConfiguredWhy} />
        </Card>
      )}
      {/* Without a provider the rest is not asked for. */}
      {!data && !error && <Skeleton />}
      {(data || (error && !isOff)) && (
        <>
          <Accounts appId={appId} />
          <Card title={t.performance}>
            <Loaded query={performance}>
              {(performed) => <Performance performed={performed} />}
            </Loaded>
          </Card>
          <Scheduled appId={appId} />
          <History appId={appId} />
        </>
      )}
    </Page>
  );
}
