import { changeOf, rate, shortNumber } from '../../format.ts';
import { environmentOf } from '../../parts/environment.tsx';
import { FigureCard } from '../../parts/figure-card.tsx';
import { api } from '../../state/api.ts';
import { type PinnedView, usePins } from '../../state/pins.ts';
import { useQuery } from '../../state/query.ts';
import { funnels as funnelsTexts } from '../../texts/funnels.ts';
import { pins as pinsTexts } from '../../texts/pins.ts';
import { trends as trendsTexts } from '../../texts/trends.ts';

const DAYS = 28;

type Figure = { figure: string; note?: string | undefined };

/** What a view's address asks for, as far as its main figure depends on it. */
function settingsOf({ query }: PinnedView) {
  const settings = new URLSearchParams(query);
  return {
    days: Number(settings.get('days')) || DAYS,
    environment: environmentOf(settings.get('environment') ?? ''),
    event: settings.get('event'),
    funnel: settings.get('funnel'),
    interval: settings.get('interval') === 'day' ? ('day' as const) : ('week' as const),
  };
}

const REPORT_DAYS_MAX = 90;

type Report = Awaited<ReturnType<typeof api.getFunnelReport>>;

/** How many went all the way, with its interval; of too few people only the count. */
export const wholeFunnel = ({ overall, people, minimumPeople }: Report) => ({
  figure: rate(overall.rate),
  note:
    overall.rate === null
      ? funnelsTexts.fewTitle(people, minimumPeople)
      : `${rate(overall.rateLow)} – ${rate(overall.rateHigh)}`,
});

async function askTrend(id: string, pin: PinnedView, signal: AbortSignal): Promise<Figure> {
  const { days, environment, event } = settingsOf(pin);
  const { totals } = await api.getEventSeries(
    { id, query: { days, environment, compare: true, ...(event && { names: event }) } },
    { signal },
  );
  const change = totals.peopleChange;
  return {
    figure: shortNumber(totals.people),
    note: change === null ? undefined : `${changeOf(1 + change, 1)} ${trendsTexts.before}`,
  };
}

async function askFunnel(id: string, pin: PinnedView, signal: AbortSignal): Promise<Figure> {
  const { days, environment, funnel } = settingsOf(pin);
  const funnelId = funnel ?? (await api.listFunnels({ id }, { signal }))[0]?.id;
  if (!funnelId) return { figure: rate(null) };
  const report = await api.getFunnelReport(
    { id, funnelId, query: { days: Math.min(days, REPORT_DAYS_MAX), environment } },
    { signal },
  );
  return wholeFunnel(report);
}

async function askRetention(id: string, pin: PinnedView, signal: AbortSignal): Promise<Figure> {
  const { days, environment, interval } = settingsOf(pin);
  const report = await api.getEventRetention(
    { id, query: { days: Math.min(days, REPORT_DAYS_MAX), environment, interval, periods: 1 } },
    { signal },
  );
  return {
    figure: rate(report.mean[0]?.rate ?? null),
    note: pinsTexts.retention(interval),
  };
}

const ASK = { trends: askTrend, funnels: askFunnel, retention: askRetention };

function PinnedCard({ appId, pin }: { appId: string; pin: PinnedView }) {
  const { page, query, title } = pin;
  const asked = useQuery(`pinned ${appId} ${page} ${query}`, (signal) =>
    ASK[page](appId, pin, signal),
  );
  const { data, error } = asked.value;
  return (
    <FigureCard
      title={title}
      href={`/apps/${appId}/${page}${query && `?${query}`}`}
      figure={data?.figure ?? (error && rate(null))}
      note={data?.note ?? error?.message}
    />
  );
}

/** The views that somebody keeps here, each with its main figure. */
export function Pinned({ appId }: { appId: string }) {
  const { pins = [] } = usePins(appId);
  if (pins.length === 0) return null;
  return (
    <>
      <h2>{pinsTexts.title}</h2>
      <div class="cards">
        {pins.map((pin) => (
          <PinnedCard key={`${pin.page}?${pin.query}`} appId={appId} pin={pin} />
        ))}
      </div>
    </>
  );
}
