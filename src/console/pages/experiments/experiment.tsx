import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { when } from '../../format.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { Acts, Ship } from './acts.tsx';
import { type Draft, DraftForm } from './draft.tsx';
import { Overrides } from './overrides.tsx';
import { type Experiment, useOnboardings } from './queries.ts';
import { ExperimentReport } from './report.tsx';
import { Sizes } from './sizes.tsx';

function Drafted({ experiment, onChange }: { experiment: Experiment; onChange: () => void }) {
  const { appId, id, arms } = experiment;
  const onboardings = useOnboardings(appId);
  const isSaved = useSignal(false);
  const save = async (draft: Draft) => {
    await api.updateExperiment({ id: appId, experimentId: id, body: draft });
    isSaved.value = true;
    onChange();
    onboardings.refetch();
  };
  return (
    <>
      <p>
        {t.draftWhy} {t.fixed}
      </p>
      <Sizes experiment={experiment} />
      <h2>{t.arms}</h2>
      <Loaded query={onboardings}>
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
    </>
  );
}

/** What is known of an experiment beside its figures. */
function About({ experiment }: { experiment: Experiment }) {
  const { status, startedAt, stoppedAt, shipped, arms } = experiment;
  const arm = arms.find(({ id }) => id === shipped?.armId);
  return (
    <>
      <p class="quiet">
        <strong>{t.statuses[status]}</strong>
        {startedAt && ` · ${t.started} ${when(startedAt)}`}
        {stoppedAt && ` · ${t.stopped} ${when(stoppedAt)}`}
      </p>
      {shipped && <p class="notice">{t.shipped(arm?.name ?? '', when(shipped.at))}</p>}
    </>
  );
}

export function ExperimentPage() {
  const { params } = useRoute();
  const [appId = '', experimentId = ''] = [params.id, params.experimentId];
  const experiment = useQuery(`experiment ${experimentId}`, (signal) =>
    api.getExperiment({ id: appId, experimentId }, { signal }),
  );
  const { data } = experiment.value;
  return (
    <Page
      title={data?.name ?? t.title}
      question={t.question}
      help="experiments"
      actions={
        <>
          <a href={`/apps/${appId}/experiments`}>{t.title}</a>
          {data && <Acts experiment={data} onChange={experiment.refetch} />}
        </>
      }
    >
      <Loaded query={experiment}>
        {(found) => (
          <>
            <About experiment={found} />
            {found.status === 'draft' ? (
              <Drafted experiment={found} onChange={experiment.refetch} />
            ) : (
              <ExperimentReport experiment={found} />
            )}
            <Ship experiment={found} onChange={experiment.refetch} />
            {found.status !== 'stopped' && <Overrides experiment={found} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
