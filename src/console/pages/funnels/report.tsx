import { Card } from '../../parts/card.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { Answer } from './answer.tsx';
import { groupsOf, referenceOf } from './groups.ts';
import { Leak } from './leak.tsx';
import { canListGroups, listedIn } from './listed.ts';
import type { Asked, FunnelReport, Selection } from './queries.ts';
import { fallOf, sentenceOf } from './sentence.ts';
import type { FunnelSettings } from './settings.ts';
import { Steps } from './steps.tsx';

const loadRest = () => import('./by-use.ts');

export function shownGroups(report: FunnelReport, isDefault: boolean) {
  const groups = report.breakdown ? groupsOf(report.breakdown) : [];
  return isDefault && groups.length < 2 ? [] : groups;
}

export function Report(props: {
  asked: Asked;
  settings: FunnelSettings;
  selection: Selection;
  onRange: (days: { from: string; to: string }) => void;
}) {
  const { asked, settings, selection } = props;
  const { report, days } = asked;
  const { module: rest } = useModule(loadRest);
  const groups = shownGroups(report, settings.isBreakdownDefault);
  const reference = referenceOf(report, groups);
  const fall = fallOf(report, groups, reference);
  const listed = listedIn(report, settings.listed);
  const list = (next: typeof listed) => settings.change({ listed: next });
  const steps = {
    ...{ report, groups, reference },
    canListGroups: canListGroups(report, selection),
    hrefOf: (next: NonNullable<typeof listed>) => settings.hrefOf({ listed: next }),
    onList: list,
  };
  return (
    <>
      <Answer report={report} sentence={sentenceOf(report, groups, reference)} />
      <Steps {...steps} />
      <Leak {...steps} />
      {report.comparison && rest && (
        <rest.ComparedSteps report={report} comparison={report.comparison} />
      )}
      {rest ? (
        <rest.Below
          {...{ report, groups, days, selection, fall, listed }}
          isAsked={settings.listed !== undefined}
          onList={list}
          onRange={props.onRange}
        />
      ) : (
        <BelowSkeleton />
      )}
    </>
  );
}

const BelowSkeleton = () => (
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
