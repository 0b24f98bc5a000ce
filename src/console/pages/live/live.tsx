import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { RecentEvent } from '../../../../clients/api/src/index.ts';
import { timeOfDay } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { MinuteBars } from '../../parts/chart/index.ts';
import { ChoiceChip, EventChip, FilterChips } from '../../parts/chips/index.ts';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { withFilter } from '../../state/filter-rules.ts';
import { useFilters } from '../../state/filters.ts';
import { useLinks } from '../../state/place.ts';
import { useQuery } from '../../state/query.ts';
import { sentBy } from '../../state/sent.ts';
import { connect as connectTexts } from '../../texts/connect.ts';
import { texts } from '../../texts/index.ts';
import { live as t } from '../../texts/live.ts';
import { visible } from '../../visible.ts';
import { keyOf, knownSince, minutesOf } from './minutes.ts';
import { type Environment, Refused, RefusedCount, useIngestion } from './refused.tsx';
import { type Narrow, Stream } from './stream.tsx';

const POLL_SECONDS = 5;
const LIMIT = 100;
const SENT_DAYS = 28;
/** Once the list has let go of them. */
const MAX_KEPT = 20_000;
const OPTIONS = [
  { value: 'all', label: t.all },
  { value: 'production', label: connectTexts.production },
  { value: 'development', label: connectTexts.development },
] as const;

const environmentOf = (text: string): Environment =>
  OPTIONS.find(({ value }) => value === text)?.value ?? 'all';

/** Also after the list has let go of it. */
function useReceived(view: string, events: readonly RecentEvent[] | undefined) {
  const seen = useRef({ view, at: new Map<string, string>() });
  if (seen.current.view !== view) seen.current = { view, at: new Map() };
  for (const event of events ?? []) seen.current.at.set(keyOf(event), event.receivedAt);
  if (seen.current.at.size > MAX_KEPT) seen.current.at.clear();
  return seen.current.at;
}

function HalfHour(props: { view: string; events: readonly RecentEvent[]; isPaused: boolean }) {
  const { view, events, isPaused } = props;
  const received = useReceived(view, events);
  const nowMs = useSignal(Date.now());
  useEffect(() => {
    if (isPaused) return;
    const timer = setInterval(() => {
      nowMs.value = Date.now();
    }, POLL_SECONDS * 1_000);
    return () => clearInterval(timer);
  }, [isPaused]);
  const since = received.size > LIMIT ? null : knownSince(events, LIMIT, nowMs.value);
  return (
    <Card title={t.halfHour} sub={since ? t.since(timeOfDay(since)) : t.byMinute}>
      <MinuteBars title={t.halfHour} minutes={minutesOf(received.values(), nowMs.value)} />
    </Card>
  );
}

function useAsked() {
  const [chosen, choose] = useSetting('environment', 'all');
  const [name, setName] = useSetting('event', '');
  const [personId, setPerson] = useSetting('person', '');
  const { filters, setFilters, query } = useFilters();
  const environment = environmentOf(chosen);
  const narrow: Narrow = {
    byName: setName,
    byPerson: setPerson,
    by: (dimension, value) => setFilters(withFilter(filters, { dimension, operator: 'is', value })),
  };
  return {
    ...{ environment, choose, name, setName, personId, setPerson, filters, setFilters, narrow },
    query: { environment, ...query, ...(name && { name }), ...(personId && { personId }) },
    isNarrowed: name !== '' || personId !== '' || filters.length > 0,
  };
}

function Chips({ appId, asked }: { appId: string; asked: ReturnType<typeof useAsked> }) {
  const { environment, name, personId } = asked;
  const sent = sentBy(appId, { names: name ? [name] : [], days: SENT_DAYS, environment });
  return (
    <>
      <EventChip
        name={t.event}
        sent={sentBy(appId, { days: SENT_DAYS, environment })}
        value={name}
        onChange={asked.setName}
      />
      {personId && (
        <Button kind="dashed" icon={icons.close} onClick={() => asked.setPerson('')}>
          {t.only(visible(personId))}
        </Button>
      )}
      <FilterChips sent={sent} filters={asked.filters} onChange={asked.setFilters} />
      <ChoiceChip
        name={t.environment}
        options={OPTIONS}
        value={environment}
        onChange={asked.choose}
      />
    </>
  );
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  const linkTo = useLinks();
  if (isNarrowed) return <Empty icon={icons.filter} title={t.noMatch} text={t.noMatchWhy} />;
  return (
    <Empty
      icon={icons.live}
      title={t.empty}
      text={t.emptyWhy}
      action={
        <Button kind="primary" href={linkTo('connect') ?? '/'}>
          {texts.nav.connect}
        </Button>
      }
    />
  );
}

export function Live() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const asked = useAsked();
  const isPaused = useSignal(false);
  const ingestion = useIngestion(appId, asked.environment);
  const view = JSON.stringify(asked.query);
  const recent = useQuery(
    `recent ${appId} ${view}`,
    (signal) =>
      api.listRecentEvents({ id: appId, query: { ...asked.query, limit: LIMIT } }, { signal }),
    { everySeconds: isPaused.value ? undefined : POLL_SECONDS },
  );
  return (
    <Page
      title={t.title}
      question={t.question}
      help="events"
      actions={
        <Button
          icon={isPaused.value ? icons.play : icons.pause}
          pressed={isPaused.value}
          onClick={() => {
            isPaused.value = !isPaused.value;
            if (!isPaused.value) recent.refetch();
          }}
        >
          {t.pause}
        </Button>
      }
      toolbar={{
        left: <Chips appId={appId} asked={asked} />,
        right: <RefusedCount ingestion={ingestion} />,
      }}
      foot={[
        isPaused.value ? t.foot.paused : t.foot.polled(POLL_SECONDS),
        t.foot.last(LIMIT),
        t.foot.times,
      ]}
    >
      <Refused ingestion={ingestion} />
      <Loaded query={recent} skeleton={<LiveSkeleton />}>
        {(events) => (
          <>
            <HalfHour view={view} events={events} isPaused={isPaused.value} />
            <Card title={t.stream} flush class="live-stream">
              {events.length === 0 ? (
                <Nothing isNarrowed={asked.isNarrowed} />
              ) : (
                <Stream appId={appId} events={events} narrow={asked.narrow} />
              )}
            </Card>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const LiveSkeleton = () => (
  <>
    <div class="card live-bars-skeleton">
      <Skeleton shape="line" />
    </div>
    <div class="card live-stream">
      <Skeleton count={14} />
    </div>
  </>
);
