import { useRoute } from 'preact-iso';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { useDays } from '../../parts/range.tsx';
import { Answered } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';
import { texts } from '../../texts/index.ts';
import { Cohorts } from './cohorts.tsx';

const t = texts.retention;
const MAX_DAYS = 90;
const INTERVALS = [
  ['week', t.week],
  ['day', t.day],
] as const;
const PERIODS = { day: 14, week: 8 } as const;

/** Who comes back, by the time of the first event ever. */
export function Retention() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const { days, choice } = useDays(MAX_DAYS);
  const [chosen, choose] = useSetting('interval', 'week');
  const interval = INTERVALS.find(([value]) => value === chosen)?.[0] ?? 'week';
  const report = useQuestion(`retention ${appId} ${days} ${interval}`, (signal) =>
    api.getEventRetention(
      { id: appId, query: { days, interval, periods: PERIODS[interval] } },
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
            label={texts.trends.interval}
            name="interval"
            hideLabel
            options={INTERVALS}
            value={interval}
            onChange={choose}
          />
          {choice}
        </>
      }
    >
      <Answered asked={report.value} again={report.again}>
        {(answer) => <Cohorts report={answer} />}
      </Answered>
    </Page>
  );
}
