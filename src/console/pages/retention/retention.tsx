import { useRoute } from 'preact-iso';
import { calendarDay, dayIn } from '../../format.ts';
import { Behind } from '../../parts/behind.tsx';
import { useEnvironment } from '../../parts/environment.tsx';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Pin } from '../../parts/pin.tsx';
import { useDays } from '../../parts/range.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { people as peopleTexts } from '../../texts/people.ts';
import { retention as t } from '../../texts/retention.ts';
import { trends as trendsTexts } from '../../texts/trends.ts';
import { Cohorts } from './cohorts.tsx';

const MAX_DAYS = 90;
const INTERVALS = [
  ['week', t.week],
  ['day', t.day],
] as const;
const PERIODS = { day: 14, week: 8 } as const;

/** A cell in the address: `2-1` is period 1 of the cohort with index 2, `2` the cohort itself. */
const cellName = (cohort: number, period: number | null) =>
  period === null ? String(cohort) : `${cohort}-${period}`;

function cellOf(name: string) {
  const parts = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(name);
  if (!parts) return null;
  const [, cohort, period] = parts;
  return { cohortIndex: Number(cohort), ...(period && { period: Number(period) }) };
}

type Report = Awaited<ReturnType<typeof api.getEventRetention>>;

function cohortDay({ cohorts, timezone }: Report, index: number): string {
  const from = cohorts[index]?.from;
  return from === undefined ? '' : calendarDay(dayIn(from, timezone));
}

/** Who comes back, by the time of the first event ever. */
export function Retention() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const { days, choice } = useDays(MAX_DAYS);
  const { environment, choice: environmentChoice } = useEnvironment();
  const [chosen, choose] = useSetting('interval', 'week');
  const interval = INTERVALS.find(([value]) => value === chosen)?.[0] ?? 'week';
  const [picked, pick] = useSetting('cell', '');
  const cell = cellOf(picked);
  const query = { days, interval, environment };
  const report = useQuery(`retention ${appId} ${days} ${interval} ${environment}`, (signal) =>
    api.getEventRetention(
      { id: appId, query: { ...query, periods: PERIODS[interval] } },
      { signal },
    ),
  );
  return (
    <Page
      title={t.title}
      question={t.question}
      help="explore"
      actions={
        <>
          <Choice
            label={trendsTexts.interval}
            name="interval"
            hideLabel
            options={INTERVALS}
            value={interval}
            onChange={choose}
          />
          {choice}
          {environmentChoice}
          <Pin appId={appId} page="retention" title={t.title} />
        </>
      }
    >
      <Loaded query={report}>
        {(data) => (
          <>
            <Cohorts
              report={data}
              onPick={({ cohort, period }) => pick(cellName(cohort, period))}
            />
            {cell && (
              <Behind
                appId={appId}
                title={peopleTexts.behind(
                  t.behind(cohortDay(data, cell.cohortIndex), cell.period ?? null),
                )}
                question={`${appId} ${days} ${interval} ${picked}`}
                ask={(page, options) =>
                  api.listEventRetentionPeople(
                    { id: appId, query: { ...query, ...page, ...cell } },
                    options,
                  )
                }
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
