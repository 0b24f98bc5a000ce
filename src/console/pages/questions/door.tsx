import type { ComponentChildren } from 'preact';
import type { Answer } from '../../../../clients/api/src/index.ts';
import { type ExportItem, ExportMenu } from '../../parts/chart/export-menu.tsx';
import { ChoiceChip } from '../../parts/chips/index.ts';
import { CopyLink } from '../../parts/copy-link.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { Popover } from '../../parts/popover.tsx';
import { CompareControl, RangeControl } from '../../parts/range/range.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { ErrorNotice } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import type { RequestError } from '../../state/api.ts';
import { faultAt, faultOf } from '../../state/ask-fault.ts';
import { ASK_KINDS, begin, firstOf } from '../../state/ask.ts';
import type { Query } from '../../state/query.ts';
import { backQuery } from '../../state/range-query.ts';
import { questions as t } from '../../texts/questions.ts';
import { Save } from './save.tsx';
import type { QuestionSettings } from './settings.ts';

const KINDS = ASK_KINDS.map((value) => ({
  value,
  label: t.kinds[value],
  detail: t.kindDetails[value],
}));

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

function Acts(props: {
  settings: QuestionSettings;
  exports: readonly ExportItem[];
  acts: ((close: () => void) => ComponentChildren) | undefined;
}) {
  const { settings, exports, acts } = props;
  const all = (close: () => void) => (
    <>
      <CopyLink />
      <ExportMenu items={exports} />
      <Save settings={settings} />
      {acts?.(close)}
    </>
  );
  return (
    <>
      <div class="head-acts">{all(() => {})}</div>
      <div class="head-more">
        <Popover
          label={t.more}
          placement="bottom-end"
          button={{ class: 'plain icon-only', name: t.more, icon: icons.more }}
        >
          {(close) => <div class="more-acts">{all(close)}</div>}
        </Popover>
      </div>
    </>
  );
}

const loadEditor = () => import('./editor.ts');

export function Door(props: {
  settings: QuestionSettings;
  title: string;
  question: string;
  queries?: readonly Query<Answer>[];
  error?: RequestError | undefined;
  exports?: readonly ExportItem[];
  foot: readonly ComponentChildren[];
  switcher?: ComponentChildren;
  acts?: (close: () => void) => ComponentChildren;
  frame?: ComponentChildren;
  /** Steps that have a name stay folded until somebody wants to see them. */
  isNamed?: boolean;
  children: ComponentChildren;
}) {
  const { settings, queries = [], error, acts, isNamed } = props;
  const { module: editor } = useModule(loadEditor);
  const { appId, ask, setAsk, range, environment } = settings;
  return (
    <Page
      title={props.title}
      question={settings.opened?.name ?? props.question}
      help={settings.door === 'funnels' ? 'funnels' : 'questions'}
      switcher={props.switcher}
      actions={<Acts exports={props.exports ?? []} settings={settings} acts={acts} />}
      toolbar={{
        left: (
          <>
            <ChoiceChip
              name={t.name}
              options={KINDS}
              value={ask.kind}
              onChange={(kind) => setAsk(begin(kind, firstOf(ask)))}
            />
            {settings.environmentChoice}
          </>
        ),
        right: (
          <>
            {props.frame}
            <Frame settings={settings} />
          </>
        ),
      }}
      foot={props.foot}
    >
      <section class="card ask" aria-label={t.card}>
        {editor && !settings.isOpening ? (
          <editor.Builder
            {...{
              ask,
              sent: { appId, days: backQuery(range).days, environment },
              isNamed,
              unit: settings.interval,
            }}
            onChange={setAsk}
            faultOf={(question) => faultAt(faultOf(queries[question]?.value.error ?? error))}
          />
        ) : settings.failed ? (
          <ErrorNotice error={settings.failed} refetch={settings.saved.refetch} />
        ) : (
          <div class="skeleton ask-skeleton" aria-busy="true" />
        )}
      </section>
      {props.children}
      {editor && <editor.SavedList settings={settings} />}
    </Page>
  );
}
