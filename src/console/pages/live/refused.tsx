import { exactNumber, when } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import * as icons from '../../parts/icons.ts';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { type Query, useQuery } from '../../state/query.ts';
import { live as t } from '../../texts/live.ts';

const POLL_SECONDS = 30;
const DAYS = 7;

export type Environment = 'all' | 'production' | 'development';
type Ingestion = Awaited<ReturnType<typeof api.getIngestion>>;

export const useIngestion = (appId: string, environment: Environment) =>
  useQuery(
    `ingestion ${appId} ${environment}`,
    (signal) => api.getIngestion({ id: appId, query: { days: DAYS, environment } }, { signal }),
    { everySeconds: POLL_SECONDS },
  );

export function RefusedCount({ ingestion }: { ingestion: Query<Ingestion> }) {
  const [open, setOpen] = useSetting('refused', '');
  const { data } = ingestion.value;
  if (!data) return null;
  const batches = data.rejected.reduce((sum, one) => sum + one.batches, 0);
  if (batches === 0) return <span class="quiet">{t.noneRefused(DAYS)}</span>;
  const isOpen = open === 'open';
  return (
    <button
      type="button"
      class="refused-count"
      aria-expanded={isOpen}
      onClick={() => setOpen(isOpen ? '' : 'open')}
    >
      <icons.problem class="small" />
      {t.refusedCount(batches, DAYS)}
      <icons.open class="small" />
    </button>
  );
}

export function Refused({ ingestion }: { ingestion: Query<Ingestion> }) {
  const [open] = useSetting('refused', '');
  if (open !== 'open') return null;
  return (
    <Card title={t.refused} sub={t.refusedSub(DAYS)} flush>
      <Loaded query={ingestion}>
        {({ rejected }) =>
          rejected.length === 0 ? (
            <p class="card-none quiet">{t.noneRefused(DAYS)}</p>
          ) : (
            <Table
              caption={t.refused}
              rows={rejected}
              keyOf={({ reason }) => reason}
              columns={[
                { label: t.reason, show: ({ reason }) => <code>{reason}</code>, narrow: true },
                {
                  label: t.batches,
                  number: true,
                  show: ({ batches }) => exactNumber(batches),
                  narrow: true,
                },
                {
                  label: t.lastAt,
                  show: ({ lastAt }) => when(lastAt),
                  plain: ({ lastAt }) => lastAt,
                  narrow: true,
                },
                { label: t.example, show: ({ lastExample }) => lastExample ?? '–' },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
