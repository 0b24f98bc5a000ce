import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { whenInZone } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { CopyLink } from '../../parts/copy-link.tsx';
import { Page } from '../../parts/page.tsx';
import { Loaded, Skeleton, SkeletonCard } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useTimezone } from '../../state/timezone.ts';
import { useApi } from '../../state/use-api.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { Acts } from './acts.tsx';
import { type Draft, DraftForm } from './draft.tsx';
import { FlagRules } from './flag-rules.tsx';
import { Overrides } from './overrides.tsx';
import { type Experiment, isOfFlags, useOnboardings } from './queries.ts';
import { Answer, footOf, Metrics } from './report.tsx';
import { Sizes } from './sizes.tsx';

const POLL_SECONDS = 60;

function Drafted({ experiment }: { experiment: Experiment }) {
  const { appId, id, arms } = experiment;
  const onboardings = useOnboardings(appId);
  const isSaved = useSignal(false);
  const save = async (draft: Draft) => {
    await api.updateExperiment({ id: appId, experimentId: id, body: draft });
    isSaved.value = true;
  };
  return (
    <div class="grid seven-five">
      <Card title={t.draft} sub={t.fixed}>
        <Loaded
          query={onboardings}
          skeleton={
            <div class="draft-skeleton">
              <Skeleton count={8} />
            </div>
          }
        >
          {(all) => (
            <DraftForm
              key={arms.map((arm) => arm.id).join()}
              appId={appId}
              experiment={experiment}
              onboardings={all}
              onSave={save}
            />
          )}
        </Loaded>
        <p class="quiet" role="status">
          {isSaved.value && t.saved}
        </p>
      </Card>
      <Sizes experiment={experiment} />
    </div>
  );
}

function State({ experiment, zone }: { experiment: Experiment; zone: string }) {
  const { status, startedAt, stoppedAt, shipped, arms, layer } = experiment;
  const arm = arms.find(({ id }) => id === shipped?.armId);
  return (
    <>
      <p class="experiment-state quiet">
        <span class={status === 'running' ? 'chip accent' : 'chip'}>{t.statuses[status]}</span>
        {startedAt && ` ${t.startedOn(whenInZone(startedAt, zone))}`}
        {stoppedAt && `, ${t.stoppedOn(whenInZone(stoppedAt, zone))}`}
        {layer && ` ${t.inLayer(layer.name, layer.fromPercent, layer.toPercent)}`}
        {status === 'draft' && ` ${t.draftWhy}`}
      </p>
      {shipped && (
        <p class="notice good">{t.shipped(arm?.name ?? '', whenInZone(shipped.at, zone))}</p>
      )}
    </>
  );
}

const ReportSkeleton = () => (
  <>
    <div class="skeleton experiment-answer-skeleton" />
    <SkeletonCard class="metric-skeleton" count={3} />
  </>
);

function useReport(appId: string, id: string, status: Experiment['status'] | undefined) {
  return useApi(
    api.getExperimentReport,
    { id: appId, experimentId: id },
    {
      everySeconds: status === 'running' ? POLL_SECONDS : undefined,
      enabled: status !== undefined && status !== 'draft',
    },
  );
}

export function ExperimentPage() {
  const { params } = useRoute();
  const [appId = '', experimentId = ''] = [params.id, params.experimentId];
  const zone = useTimezone(appId);
  const experiment = useApi(api.getExperiment, { id: appId, experimentId });
  const { data } = experiment.value;
  const report = useReport(appId, experimentId, data?.status);
  const isDraft = data?.status === 'draft';
  const known = isDraft ? undefined : report.value.data;
  // It would be pushed down by figures on their way.
  const isShown = isDraft || known !== undefined || report.value.error !== undefined;
  return (
    <Page
      title={data?.name ?? t.title}
      question={t.question}
      help="experiments"
      actions={
        <>
          <span class="wide-only">
            <CopyLink />
          </span>
          {data ? <Acts experiment={data} report={known} /> : <span class="acts-place" />}
        </>
      }
      foot={known ? footOf(known, data?.status === 'running', zone) : []}
    >
      <Loaded
        query={experiment}
        skeleton={
          <>
            <div class="skeleton experiment-state-skeleton" />
            <ReportSkeleton />
          </>
        }
      >
        {(found) => (
          <>
            <State experiment={found} zone={zone} />
            {found.status === 'draft' ? (
              <Drafted experiment={found} />
            ) : (
              <Loaded query={report} skeleton={<ReportSkeleton />}>
                {(one) => (
                  <>
                    <Answer report={one} />
                    <Metrics report={one} />
                  </>
                )}
              </Loaded>
            )}
            {isShown && isOfFlags(found) && <FlagRules experiment={found} />}
            {isShown && found.status !== 'stopped' && <Overrides experiment={found} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
