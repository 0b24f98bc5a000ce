import { useRoute } from 'preact-iso';
import { timeOfDay, when } from '../../format.ts';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { connect as connectTexts } from '../../texts/connect.ts';
import { texts } from '../../texts/index.ts';
import { live as t } from '../../texts/live.ts';

const POLL_SECONDS = 5;
const ENVIRONMENTS = [
  ['all', t.all],
  ['production', connectTexts.production],
  ['development', connectTexts.development],
] as const;
export type Environment = (typeof ENVIRONMENTS)[number][0];

const environmentOf = (text: string): Environment =>
  ENVIRONMENTS.find(([value]) => value === text)?.[0] ?? 'all';

function Refused({ appId, environment }: { appId: string; environment: Environment }) {
  const ingestion = useQuery(
    `ingestion ${appId} ${environment}`,
    (signal) => api.getIngestion({ id: appId, query: { days: 7, environment } }, { signal }),
    { everySeconds: POLL_SECONDS * 6 },
  );
  return (
    <Loaded query={ingestion}>
      {({ rejected }) =>
        rejected.length === 0 ? (
          <p class="quiet">{connectTexts.noneRefused}</p>
        ) : (
          <Table
            caption={t.refused}
            rows={rejected}
            keyOf={({ reason }) => reason}
            columns={[
              { label: t.reason, show: ({ reason }) => <code>{reason}</code> },
              { label: t.batches, number: true, show: ({ batches }) => batches },
              { label: t.lastAt, show: ({ lastAt }) => when(lastAt) },
              { label: t.example, show: ({ lastExample }) => lastExample ?? '–' },
            ]}
          />
        )
      }
    </Loaded>
  );
}

/** The events received last, as they arrive. */
export function Live() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const [chosen, choose] = useSetting('environment', 'all');
  const environment = environmentOf(chosen);
  const recent = useQuery(
    `recent ${appId} ${environment} 100`,
    (signal) => api.listRecentEvents({ id: appId, query: { environment, limit: 100 } }, { signal }),
    { everySeconds: POLL_SECONDS },
  );
  return (
    <Page
      title={t.title}
      question={t.question}
      help="events"
      actions={
        <Choice
          label={t.environment}
          name="environment"
          hideLabel
          options={ENVIRONMENTS}
          value={environment}
          onChange={choose}
        />
      }
    >
      <Loaded query={recent}>
        {(events) =>
          events.length === 0 ? (
            <p>
              {t.empty} <a href={`/apps/${appId}/connect`}>{texts.nav.connect}</a>
            </p>
          ) : (
            <Table
              caption={t.title}
              rows={events}
              csvName="events"
              keyOf={(event) =>
                `${event.receivedAt} ${event.personId} ${event.id} ${event.name} ${event.occurredAt}`
              }
              columns={[
                { label: t.time, show: (e) => timeOfDay(e.receivedAt), plain: (e) => e.receivedAt },
                { label: t.event, show: (e) => <strong>{e.name}</strong>, plain: (e) => e.name },
                {
                  label: t.person,
                  show: (e) => <PersonLink appId={appId} personId={e.personId} />,
                  plain: (e) => e.personId,
                },
                {
                  label: t.app,
                  show: (e) => [e.platform, e.appVersion, e.country].filter(Boolean).join(' '),
                  plain: (e) => [e.platform, e.appVersion, e.country].filter(Boolean).join(' '),
                },
                {
                  label: t.properties,
                  show: (e) => e.props && <code>{JSON.stringify(e.props)}</code>,
                  plain: (e) => e.props && JSON.stringify(e.props),
                },
              ]}
            />
          )
        }
      </Loaded>
      <h2>{t.refused}</h2>
      <Refused appId={appId} environment={environment} />
    </Page>
  );
}
