import { useSignal } from '@preact/signals';
import type { FunnelReport as Report } from '../../../../clients/api/src/index.ts';
import { exactNumber, when } from '../../format.ts';
import { PersonLink } from '../../parts/person-link.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { live as liveTexts } from '../../texts/live.ts';

const SHOWN = 50;

function Stopped({ report, step }: { report: Report; step: number }) {
  const { appId, funnelId, window, environment = 'production' } = report;
  const people = useQuery(
    `funnel people ${funnelId} ${window.from} ${window.to} ${step} ${environment}`,
    (signal) =>
      api.listFunnelPeople(
        {
          id: appId,
          funnelId,
          query: {
            from: window.from,
            to: window.to,
            environment,
            step,
            dropped: true,
            limit: SHOWN,
          },
        },
        { signal },
      ),
  );
  return (
    <Loaded query={people}>
      {({ people: found }) => (
        <Table
          caption={t.peopleOf}
          rows={found}
          csvName="people"
          keyOf={({ personId }) => personId}
          columns={[
            {
              label: liveTexts.person,
              show: (p) => <PersonLink appId={appId} personId={p.personId} />,
              plain: (p) => p.personId,
            },
            { label: t.reached, show: (p) => when(p.reachedAt), plain: (p) => p.reachedAt },
          ]}
        />
      )}
    </Loaded>
  );
}

/** From the count of those who stopped at a step to the people themselves. */
export function People({ report }: { report: Report }) {
  const shown = useSignal<number | null>(null);
  const steps = report.steps.filter(({ dropped }) => dropped !== null && dropped > 0);
  return (
    <>
      <div class="row">
        {steps.map(({ index, label, dropped }) => (
          <button
            type="button"
            key={index}
            aria-expanded={shown.value === index}
            onClick={() => {
              shown.value = shown.value === index ? null : index;
            }}
          >
            {t.dropped}: {label} ({exactNumber(dropped ?? 0)})
          </button>
        ))}
      </div>
      {shown.value !== null && <Stopped report={report} step={shown.value} />}
    </>
  );
}
