import { useRoute } from 'preact-iso';
import { BREAKDOWNS } from '../../parts/breakdowns.ts';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { useDays } from '../../parts/range.tsx';
import { Answered } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { useQuestion } from '../../state/question.ts';
import { texts } from '../../texts/index.ts';
import { FunnelReport } from './report.tsx';

const t = texts.funnels;
const MAX_DAYS = 90;

function Report(props: { appId: string; funnelId: string; days: number; breakdown: string }) {
  const { appId, funnelId, days, breakdown } = props;
  const report = useQuestion(`funnel ${appId} ${funnelId} ${days} ${breakdown}`, (signal) =>
    api.getFunnelReport(
      { id: appId, funnelId, query: { days, ...(breakdown && { breakdown }) } },
      { signal },
    ),
  );
  return (
    <Answered asked={report.value} again={report.again}>
      {(answer) => <FunnelReport report={answer} days={days} />}
    </Answered>
  );
}

export function Funnels() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const { days, choice } = useDays(MAX_DAYS);
  const [breakdown, breakDown] = useSetting('breakdown', '');
  const [chosen, choose] = useSetting('funnel', '');
  const funnels = useQuestion(`funnels ${appId}`, (signal) =>
    api.listFunnels({ id: appId }, { signal }),
  );
  const all = funnels.value.answer ?? [];
  const funnel = all.find(({ id }) => id === chosen) ?? all[0];
  return (
    <Page
      title={`${t.title}${funnel ? ` · ${funnel.name}` : ''}`}
      question={t.question}
      help="funnels"
      actions={
        <>
          {all.length > 1 && funnel && (
            <Choice
              label={t.choose}
              name="funnel"
              hideLabel
              options={all.map(({ id, name }) => [id, name] as const)}
              value={funnel.id}
              onChange={choose}
            />
          )}
          {choice}
          <Choice
            label={t.breakdown}
            name="breakdown"
            hideLabel
            options={BREAKDOWNS}
            value={BREAKDOWNS.find(([value]) => value === breakdown)?.[0] ?? ''}
            onChange={breakDown}
          />
        </>
      }
    >
      <Answered asked={funnels.value} again={funnels.again}>
        {() =>
          funnel && <Report appId={appId} funnelId={funnel.id} days={days} breakdown={breakdown} />
        }
      </Answered>
    </Page>
  );
}
