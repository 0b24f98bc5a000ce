import { useRoute } from 'preact-iso';
import { calendarDay, dayIn } from '../../format.ts';
import { Behind } from '../../parts/behind.tsx';
import { BREAKDOWNS } from '../../parts/breakdowns.ts';
import { useEnvironment } from '../../parts/environment.tsx';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Pin } from '../../parts/pin.tsx';
import { useDays } from '../../parts/range.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useMarks } from '../../state/marks.ts';
import { useQuery } from '../../state/query.ts';
import { useSummary } from '../../state/summary.ts';
import { people as peopleTexts } from '../../texts/people.ts';
import { trends as t } from '../../texts/trends.ts';
import { Notes } from './notes.tsx';
import { Trend } from './trend.tsx';

const INTERVALS = [
  ['day', t.day],
  ['week', t.week],
  ['month', t.month],
] as const;

/** The events that the app has sent, to choose one of. */
function useNames(appId: string, enabled: boolean): string[] {
  return useSummary(appId, enabled).value.data?.names.map(({ name }) => name) ?? [];
}

type Asking = {
  days: number;
  interval: (typeof INTERVALS)[number][0];
  name: string;
  breakdown: (typeof BREAKDOWNS)[number][0];
  environment: ReturnType<typeof useEnvironment>['environment'];
};

function useSeries(appId: string, { days, interval, name, breakdown, environment }: Asking) {
  return useQuery(
    `series ${appId} ${days} ${interval} ${name} ${breakdown} ${environment}`,
    (signal) => {
      const query = {
        days,
        interval,
        compare: true,
        environment,
        active: interval === 'day' && name === '' && breakdown === '',
        ...(name && { names: name }),
        ...(breakdown && { breakdown }),
      };
      return api.getEventSeries({ id: appId, query }, { signal });
    },
  );
}

/** People and events over time, compared with the window before. */
export function Trends() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const { days, choice } = useDays();
  const { environment, choice: environmentChoice } = useEnvironment();
  const [intervalText, setInterval] = useSetting('interval', 'day');
  const [name, setName] = useSetting('event', '');
  const [day, pick] = useSetting('point', '');
  const [breakdownText, setBreakdown] = useSetting('breakdown', '');
  const interval = INTERVALS.find(([value]) => value === intervalText)?.[0] ?? 'day';
  const breakdown = BREAKDOWNS.find(([value]) => value === breakdownText)?.[0] ?? '';
  const series = useSeries(appId, { days, interval, name, breakdown, environment });
  const isDrawn = series.value.data !== undefined;
  const names = [...new Set([...useNames(appId, isDrawn), ...(name ? [name] : [])])];
  const marks = useMarks(appId, days, isDrawn);
  return (
    <Page
      title={t.title}
      question={t.question}
      help="explore"
      actions={
        <>
          <Choice
            label={t.event}
            name="event"
            hideLabel
            options={[['', t.anyEvent] as const, ...names.map((one) => [one, one] as const)]}
            value={name}
            onChange={setName}
          />
          <Choice
            label={t.breakdown}
            name="breakdown"
            hideLabel
            options={BREAKDOWNS}
            value={breakdown}
            onChange={setBreakdown}
          />
          <Choice
            label={t.interval}
            name="interval"
            hideLabel
            options={INTERVALS}
            value={interval}
            onChange={setInterval}
          />
          {choice}
          {environmentChoice}
          <Pin appId={appId} page="trends" title={name || t.anyEvent} />
        </>
      }
    >
      <Loaded query={series}>
        {(data) => {
          const from = data.points.find((one) => dayIn(one.from, data.timezone) === day)?.from;
          const query = { days, interval, environment, ...(name && { name }) };
          return (
            <>
              <Trend series={data} marks={marks.drawn} onPick={pick} />
              {day && from && (
                <Behind
                  appId={appId}
                  title={peopleTexts.behind(calendarDay(day))}
                  question={`${appId} ${from} ${days} ${interval} ${name} ${environment}`}
                  ask={(page, options) =>
                    api.listEventSeriesPeople(
                      { id: appId, query: { ...query, ...page, point: from } },
                      options,
                    )
                  }
                />
              )}
            </>
          );
        }}
      </Loaded>
      {marks.marks && <Notes appId={appId} marks={marks.marks} refetch={marks.refetch} />}
    </Page>
  );
}
