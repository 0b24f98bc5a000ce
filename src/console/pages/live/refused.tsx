import * as icons from '../../parts/icons.ts';
import { TableCard, type TableCardProps } from '../../parts/list-card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import type { Query } from '../../state/query.ts';
import { useApi } from '../../state/use-api.ts';
import { live as t } from '../../texts/live.ts';
import { visible } from '../../visible.ts';

const POLL_SECONDS = 30;
const DAYS = 7;

export type Environment = 'all' | 'production' | 'development';
type Ingestion = Awaited<ReturnType<typeof api.getIngestion>>;

export const useIngestion = (appId: string, environment: Environment) =>
  useApi(
    api.getIngestion,
    { id: appId, query: { days: DAYS, environment } },
    { everySeconds: POLL_SECONDS },
  );

const collisions = ({ names }: Ingestion) =>
  names.flatMap(({ takenBy, ...name }) => (takenBy === null ? [] : [{ ...name, takenBy }]));

function counts(data: Ingestion): string[] {
  const batches = data.rejected.reduce((sum, one) => sum + one.batches, 0);
  const events = data.ignoredIds.reduce((sum, one) => sum + one.events, 0);
  const { length: names } = collisions(data);
  return [
    ...(batches > 0 ? [t.refusedCount(batches, DAYS)] : []),
    ...(events > 0 ? [t.ignoredCount(events)] : []),
    ...(names > 0 ? [t.collisionCount(names)] : []),
  ];
}

export function RefusedCount({ ingestion }: { ingestion: Query<Ingestion> }) {
  const [open, setOpen] = useSetting('refused', '');
  const { data } = ingestion.value;
  if (!data) return null;
  const said = counts(data);
  if (said.length === 0) return <span class="quiet">{t.noneRefused(DAYS)}</span>;
  const isOpen = open === 'open';
  return (
    <button
      type="button"
      class="refused-count"
      aria-expanded={isOpen}
      onClick={() => setOpen(isOpen ? '' : 'open')}
    >
      <icons.problem class="small" />
      {said.join(', ')}
      <icons.open class="small" />
    </button>
  );
}

const Part = <T,>(props: TableCardProps<T>) => props.rows.length > 0 && <TableCard {...props} />;

const lastAt = { label: t.lastAt, at: (row: { lastAt: string }) => row.lastAt, narrow: true };
const example = {
  label: t.example,
  show: ({ lastExample }: { lastExample: string | null }) => lastExample ?? '–',
};

function Parts({ data }: { data: Ingestion }) {
  return (
    <>
      <Part
        title={t.refused}
        sub={t.refusedSub(DAYS)}
        rows={data.rejected}
        keyOf={({ reason }) => reason}
        columns={[
          { label: t.reason, show: ({ reason }) => <code>{reason}</code>, narrow: true },
          { label: t.batches, figure: ({ batches }) => batches, narrow: true },
          lastAt,
          example,
        ]}
      />
      <Part
        title={t.ignored}
        sub={t.ignoredSub(DAYS)}
        rows={data.ignoredIds}
        keyOf={({ field }) => field}
        columns={[
          { label: t.field, show: ({ field }) => <code>{field}</code>, narrow: true },
          { label: t.events, figure: ({ events }) => events, narrow: true },
          lastAt,
          example,
        ]}
      />
      <Part
        title={t.collisions}
        sub={t.collisionsSub}
        rows={collisions(data)}
        keyOf={({ sentName }) => sentName}
        columns={[
          { label: t.sentName, show: ({ sentName }) => visible(sentName), narrow: true },
          { label: t.storedName, show: ({ name }) => <code>{name}</code>, narrow: true },
          { label: t.takenBy, show: ({ takenBy }) => visible(takenBy) },
          { label: t.firstAt, at: ({ firstAt }) => firstAt },
        ]}
      />
    </>
  );
}

export function Refused({ ingestion }: { ingestion: Query<Ingestion> }) {
  const [open] = useSetting('refused', '');
  if (open !== 'open') return null;
  return (
    <Loaded query={ingestion}>
      {(data) =>
        counts(data).length === 0 ? (
          <p class="card-none quiet">{t.noneRefused(DAYS)}</p>
        ) : (
          <Parts data={data} />
        )
      }
    </Loaded>
  );
}
