import { useLocation, useRoute } from 'preact-iso';
import { when } from '../../format.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useExperiments } from '../../state/experiments.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type Draft, DraftForm } from './draft.tsx';
import { Onboardings } from './onboardings.tsx';
import { useOnboardings } from './queries.ts';

function All({ experiments }: { experiments: ReturnType<typeof useExperiments> }) {
  return (
    <Loaded query={experiments}>
      {(all) =>
        all.length === 0 ? (
          <p class="notice">{t.empty}</p>
        ) : (
          <Table
            caption={t.title}
            rows={all}
            keyOf={({ id }) => id}
            csvName="experiments"
            columns={[
              {
                label: t.name,
                show: ({ id, appId, name }) => (
                  <a href={`/apps/${appId}/experiments/${id}`}>{name}</a>
                ),
                plain: ({ name }) => name,
              },
              {
                label: t.status,
                show: ({ status, shipped, arms }) => (
                  <span class={status === 'running' ? 'good' : undefined}>
                    {t.statuses[status]}
                    {shipped &&
                      ` · ${t.wasShipped(arms.find(({ id }) => id === shipped.armId)?.name ?? '')}`}
                  </span>
                ),
                plain: ({ status }) => status,
              },
              {
                label: t.arms,
                show: ({ arms }) => arms.map(({ name }) => name).join(', '),
                plain: ({ arms }) => arms.map(({ name }) => name).join(', '),
              },
              {
                label: t.started,
                show: ({ startedAt }) => (startedAt ? when(startedAt) : ''),
                plain: ({ startedAt }) => startedAt,
              },
              {
                label: t.stopped,
                show: ({ stoppedAt }) => (stoppedAt ? when(stoppedAt) : ''),
                plain: ({ stoppedAt }) => stoppedAt,
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}

function New({ appId, onMade }: { appId: string; onMade: () => void }) {
  const { route } = useLocation();
  const onboardings = useOnboardings(appId);
  const create = async (draft: Draft) => {
    const made = await api.createExperiment({ id: appId, body: draft });
    onMade();
    onboardings.refetch();
    route(`/apps/${appId}/experiments/${made.id}`);
  };
  return (
    <details>
      <summary>{t.add}</summary>
      <p>{t.draftWhy}</p>
      <Loaded query={onboardings}>
        {(all) => <DraftForm appId={appId} onboardings={all} onSave={create} />}
      </Loaded>
    </details>
  );
}

export function Experiments() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const experiments = useExperiments(appId);
  return (
    <Page title={t.title} question={t.question} help="experiments">
      <All experiments={experiments} />
      <New appId={appId} onMade={experiments.refetch} />
      <Onboardings appId={appId} />
    </Page>
  );
}
