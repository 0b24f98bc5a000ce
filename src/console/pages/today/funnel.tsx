import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { FunnelRows, Meter } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import type { DefaultFunnel, FunnelReport } from '../../state/default-funnel.ts';
import { beginsWithOpen } from '../../state/first-open.ts';
import { useLinks } from '../../state/place.ts';
import type { Query } from '../../state/query.ts';
import { figures } from '../../texts/figures.ts';
import { today as todayTexts } from '../../texts/today.ts';

const t = todayTexts.funnel;

function TooFew({ report }: { report: FunnelReport }) {
  const { people, minimumPeople, forecast } = report;
  return (
    <div class="too-few">
      <b>{figures.fewPeople(people, minimumPeople)}</b>
      <Meter share={people / minimumPeople} paint="ink" />
      <p class="quiet">{forecast?.text ?? t.noData}</p>
    </div>
  );
}

export function Steps({ report }: { report: FunnelReport }) {
  const first = report.steps[0]?.people ?? null;
  if (report.verdict !== 'ready' || first === null) return <TooFew report={report} />;
  return (
    <FunnelRows
      rows={report.steps.map((step) => ({
        key: String(step.index),
        name: step.label,
        people: step.people ?? 0,
        share: step.rateFromStart ?? 0,
        rate: step.rateFromPrevious,
        isBiggestLeak: step.verdict === 'biggest_leak',
      }))}
    />
  );
}

export function FunnelCard({ query }: { query: Query<DefaultFunnel> }) {
  const linkTo = useLinks();
  const href = linkTo('funnels');
  const { data } = query.value;
  if (data === null) {
    return (
      <Card title={t.none}>
        <Empty
          icon={icons.funnels}
          title={t.none}
          text={t.noneWhy}
          action={href && <Button href={href}>{t.make}</Button>}
        />
      </Card>
    );
  }
  return (
    <Card
      title={data?.funnel.name ?? figures.funnel}
      {...(data && beginsWithOpen(data.funnel.steps) && { sub: t.newOnly })}
      {...(href && { href })}
    >
      <Loaded query={query} skeleton={<Skeleton count={4} />}>
        {(found) => found && <Steps report={found.report} />}
      </Loaded>
    </Card>
  );
}
