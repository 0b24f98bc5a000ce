import { useSignal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import type { EventSelection, RecentEvent } from '../../../../clients/api/src/index.ts';
import { eachOf, FILTER_FIELDS } from '../../../shared/event-fields.ts';
import { exactNumber, locale, timeOfDay } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { namedPlaces, TimeChart } from '../../parts/chart/index.ts';
import { ChoiceChip } from '../../parts/chips/index.ts';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { SelectionChips } from '../../parts/selection/selection.tsx';
import { Empty, Loaded, SkeletonCard } from '../../parts/states.tsx';
import { useAddress } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { conditionsOf } from '../../state/conditions.ts';
import {
  type Filter,
  filterQuery,
  filtersIn,
  filtersOf,
  saidOf,
  withFilter,
} from '../../state/filter-rules.ts';
import { useLinks } from '../../state/place.ts';
import { useApi } from '../../state/use-api.ts';
import { chart } from '../../texts/chart.ts';
import { texts } from '../../texts/index.ts';
import { live as t } from '../../texts/live.ts';
import { visible } from '../../visible.ts';
import { keyOf, knownSince, minutesOf } from './minutes.ts';
import { type Environment, Refused, RefusedCount, useIngestion } from './refused.tsx';
import { type Narrow, Stream } from './stream.tsx';

const POLL_SECONDS = 5;
const MINUTES_PX = 120;
const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const minuteOf = (at: string) => clock.format(new Date(at));
const LIMIT = 100;
const SENT_DAYS = 28;
/** Once the list has let go of them. */
const MAX_KEPT = 20_000;
const OPTIONS = [
  { value: 'all', label: t.all },
  { value: 'production', label: texts.environments.production },
  { value: 'development', label: texts.environments.development },
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
  const minutes = minutesOf(received.values(), nowMs.value);
  const since = received.size > LIMIT ? null : knownSince(events, LIMIT, nowMs.value);
  return (
    <Card title={t.halfHour} sub={since ? t.since(timeOfDay(since)) : t.byMinute}>
      <TimeChart
        kind="bar"
        title={t.halfHour}
        csvName="last-half-hour"
        height={MINUTES_PX}
        {...namedPlaces(
          chart.minute,
          minutes.map(({ at }) => minuteOf(at)),
        )}
        series={[{ key: 'events', name: t.events, values: minutes.map(({ count }) => count) }]}
        format={{ show: exactNumber, isWhole: true }}
        isLastPartial
      />
    </Card>
  );
}

function useAsked() {
  const { query: parameters, change } = useAddress();
  const { event: name, person: personId } = parameters;
  const environment = environmentOf(parameters.environment ?? '');
  const filters = filtersOf(parameters);
  const setFilters = (next: readonly Filter[], event: string | undefined) => {
    const none = eachOf(FILTER_FIELDS, () => undefined);
    change({ ...none, property: undefined, ...filterQuery(next.reduce(withFilter, [])), event });
  };
  const where = conditionsOf({ word: 'all', parts: filters.map(saidOf) });
  const narrow: Narrow = {
    byName: (event) => change({ event }),
    byPerson: (person) => change({ person }),
    by: (dimension, value) => setFilters([...filters, { dimension, operator: 'is', value }], name),
  };
  return {
    ...{ environment, personId, change, narrow },
    taken: filters.map(({ dimension }) => dimension),
    selection: { ...(name && { events: [name] }), ...(where && { where }) },
    setSelection: ({ events = [], where: next }: EventSelection) =>
      setFilters(filtersIn(next) ?? filters, events[0]),
    query: {
      ...{ environment, ...filterQuery(filters) },
      ...(name && { name }),
      ...(personId && { personId }),
    },
    isNarrowed: name !== undefined || personId !== undefined || filters.length > 0,
  };
}

function Chips({ appId, asked }: { appId: string; asked: ReturnType<typeof useAsked> }) {
  const { environment, personId, change } = asked;
  return (
    <>
      <SelectionChips
        sent={{ appId, days: SENT_DAYS, environment, isPlain: true, taken: asked.taken }}
        selection={asked.selection}
        place=""
        faultOf={() => undefined}
        onChange={asked.setSelection}
      />
      {personId && (
        <Button kind="dashed" icon={icons.close} onClick={() => change({ person: undefined })}>
          {t.only(visible(personId))}
        </Button>
      )}
      <ChoiceChip
        name={t.environment}
        options={OPTIONS}
        value={environment}
        onChange={(next) => change({ environment: next === 'all' ? undefined : next })}
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
  const appId = useRoute().params.id ?? '';
  const asked = useAsked();
  const isPaused = useSignal(false);
  const ingestion = useIngestion(appId, asked.environment);
  const view = JSON.stringify(asked.query);
  const recent = useApi(
    api.listRecentEvents,
    { id: appId, query: { ...asked.query, limit: LIMIT } },
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
    <SkeletonCard class="live-bars-skeleton" shape="line" />
    <SkeletonCard class="live-stream" count={14} />
  </>
);
