import { useSignal } from '@preact/signals';
import type { RecentEvent } from '../../../../clients/api/src/index.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { paymentColumn, useFacts, type WithFacts } from '../../parts/facts-columns.tsx';
import * as icons from '../../parts/icons.ts';
import { personColumn, personPath } from '../../parts/person-link.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { contextWords } from '../../state/context-words.ts';
import { VERSION } from '../../state/filter-rules.ts';
import { useLinks } from '../../state/place.ts';
import { useIsIdle } from '../../state/query.ts';
import { valueLabel } from '../../state/sent.ts';
import { useApi } from '../../state/use-api.ts';
import { texts } from '../../texts/index.ts';
import { people as t } from '../../texts/people.ts';
import { MoreRows } from './more-rows.tsx';

const EVENTS = 100;
const PAGE = 25;

type Row = WithFacts<{ personId: string; last: RecentEvent }>;

const peopleOf = (events: readonly RecentEvent[]): Row[] =>
  [...Map.groupBy(events, ({ personId }) => personId)].flatMap(([personId, [last]]) =>
    last ? [{ personId, last }] : [],
  );

const COLUMNS: readonly Column<Row>[] = [
  { ...personColumn<Row>(t.person, ({ personId }) => personId), narrow: true },
  { label: t.lastEvent, show: ({ last }) => last.name, narrow: true },
  { label: t.last, at: ({ last }) => last.receivedAt, isAgo: true, narrow: true },
  {
    label: t.platform,
    show: ({ last }) => contextWords(last, ['platform', VERSION]).join(' '),
  },
  {
    label: t.country,
    show: ({ last: { country } }) => country && valueLabel('country', country),
  },
  paymentColumn,
];

function List({ appId, events }: { appId: string; events: readonly RecentEvent[] }) {
  const shown = useSignal(PAGE);
  const all = peopleOf(events);
  const rows = useFacts(appId, all.slice(0, shown.value), useIsIdle());
  return (
    <>
      <Table
        caption={t.seenLast}
        rows={rows}
        keyOf={({ personId }) => personId}
        rowHref={({ personId }) => personPath(appId, personId)}
        columns={COLUMNS}
        csvName="people"
      />
      <MoreRows shown={shown} of={all.length} page={PAGE} />
    </>
  );
}

export function SeenLast({ appId }: { appId: string }) {
  const linkTo = useLinks();
  const recent = useApi(api.listRecentEvents, {
    id: appId,
    query: { environment: 'all', limit: EVENTS },
  });
  return (
    <Card title={t.seenLast} flush class="seen-last">
      <Loaded query={recent} skeleton={<Skeleton count={12} />}>
        {(events) =>
          events.length === 0 ? (
            <Empty
              icon={icons.people}
              title={t.noEvents}
              text={t.noEventsWhy}
              action={<Button href={linkTo('connect') ?? '/'}>{texts.nav.connect}</Button>}
            />
          ) : (
            <List appId={appId} events={events} />
          )
        }
      </Loaded>
    </Card>
  );
}
