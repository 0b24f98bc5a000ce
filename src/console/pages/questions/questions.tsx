import type { Answer } from '../../../../clients/api/src/index.ts';
import { momentIn } from '../../format.ts';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import { ChoiceChip } from '../../parts/chips/index.ts';
import { CopyLink } from '../../parts/copy-link.tsx';
import { Page } from '../../parts/page.tsx';
import { CompareControl, RangeControl } from '../../parts/range/range.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { ASK_KINDS, begin, firstOf } from '../../state/ask.ts';
import { faultAt, faultOf } from '../../state/ask-fault.ts';
import type { Query } from '../../state/query.ts';
import { backQuery } from '../../state/range-query.ts';
import { questions as t } from '../../texts/questions.ts';
import { Answers, useAnswers } from './answers.tsx';
import { Builder } from './builder.tsx';
import { Save } from './save.tsx';
import { SavedList } from './saved-list.tsx';
import { type QuestionSettings, useQuestionSettings } from './settings.ts';

const KINDS = ASK_KINDS.map((value) => ({
  value,
  label: t.kinds[value],
  detail: t.kindDetails[value],
}));

function Toolbar({ settings }: { settings: QuestionSettings }) {
  const { ask, setAsk } = settings;
  return (
    <>
      <ChoiceChip
        name={t.name}
        options={KINDS}
        value={ask.kind}
        onChange={(kind) => setAsk(begin(kind, firstOf(ask)))}
      />
      {settings.environmentChoice}
    </>
  );
}

function Frame({ settings }: { settings: QuestionSettings }) {
  const { ask, intervals, interval } = settings;
  return (
    <>
      {intervals.length > 1 && (
        <Segmented
          label={t.interval}
          options={intervals.map((one) => [one, t.intervals[one]] as const)}
          value={interval}
          onChange={settings.setInterval}
        />
      )}
      {(ask.kind === 'trend' || ask.kind === 'funnel') && <CompareControl />}
      <RangeControl />
    </>
  );
}

function footOf(queries: readonly Query<Answer>[]) {
  const answer = queries[0]?.value.data;
  if (!answer) return [];
  const isApproximate = answer.kind === 'measures' && answer.relativeError !== null;
  return [
    isApproximate && t.approximate,
    t.through(answer.timezone, momentIn(answer.dataThrough, answer.timezone), answer.countedFrom),
  ];
}

export { pinOf } from './pin-of.ts';

export function Questions() {
  const settings = useQuestionSettings();
  const { appId, ask, setAsk, range, environment } = settings;
  const queries = useAnswers(settings);
  const sent = { appId, days: backQuery(range).days, environment };
  return (
    <Page
      title={t.title}
      question={settings.opened?.name ?? t.question}
      help="questions"
      actions={
        <>
          <span class="wide-only">
            <CopyLink />
          </span>
          <span class="wide-only">
            <ExportMenu />
          </span>
          <Save settings={settings} />
        </>
      }
      toolbar={{
        left: <Toolbar settings={settings} />,
        right: <Frame settings={settings} />,
      }}
      foot={footOf(queries)}
    >
      <section class="card ask" aria-label={t.card}>
        <Builder
          {...{ ask, sent }}
          onChange={setAsk}
          faultOf={(question) => faultAt(faultOf(queries[question]?.value.error))}
        />
      </section>
      <Answers queries={queries} settings={settings} />
      <SavedList settings={settings} />
    </Page>
  );
}
