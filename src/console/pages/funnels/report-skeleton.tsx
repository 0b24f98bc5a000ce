import { Card } from '../../parts/card.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { funnels as t } from '../../texts/funnels.ts';

export const BelowSkeleton = () => (
  <div class="grid funnel-below">
    <Card title={t.since} class="funnel-since waits">
      <Skeleton shape="plot" />
    </Card>
    <Card title={t.who.name} class="waits">
      <Skeleton />
    </Card>
  </div>
);

export const ReportSkeleton = () => (
  <>
    <section class="card funnel-answer">
      <Skeleton shape="line" count={2} />
    </section>
    <Card title={t.columns} class="funnel-steps waits">
      <Skeleton shape="plot" />
    </Card>
    <BelowSkeleton />
  </>
);
