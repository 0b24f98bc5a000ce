import { signal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso';
import { BREAKDOWNS } from '../../parts/breakdowns.ts';
import { type Environment, useEnvironment } from '../../parts/environment.tsx';
import { Choice } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Pin } from '../../parts/pin.tsx';
import { useDays } from '../../parts/range.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useSetting } from '../../state/address.ts';
import { api } from '../../state/api.ts';
import { type Query, useQuery } from '../../state/query.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { FunnelEditor } from './editor.tsx';
import { FunnelReport, MAX_TREND_DAYS } from './report.tsx';

const MAX_DAYS = 90;

const COMPARISONS = [
  ['', t.compareNone],
  ['previous', t.comparePrevious],
] as const;

type ReportProps = {
  appId: string;
  funnelId: string;
  days: number;
  breakdown: string;
  compare: '' | 'previous';
  environment: Environment;
};

function Report(props: ReportProps) {
  const { appId, funnelId, days, breakdown, compare, environment } = props;
  const report = useQuery(`funnel ${Object.values(props).join(' ')}`, (signal) => {
    const query = {
      days,
      environment,
      interval: days > MAX_TREND_DAYS ? ('week' as const) : ('day' as const),
      ...(breakdown && { breakdown }),
      ...(compare && { compare }),
    };
    return api.getFunnelReport({ id: appId, funnelId, query }, { signal });
  });
  return <Loaded query={report}>{(data) => <FunnelReport report={data} days={days} />}</Loaded>;
}

type List = { all: readonly Funnel[]; query: Query<Funnel[]> };
type Funnel = Awaited<ReturnType<typeof api.listFunnels>>[number];

/** What the last saved definition names and the app never sent. */
const hint = signal<{ funnelId: string; text: string } | null>(null);

function Editing({ appId, editing, list }: { appId: string; editing: string; list: List }) {
  const { path, route } = useLocation();
  const changed = list.all.find(({ id }) => id === editing);
  const leave = (funnelId?: string) => {
    if (funnelId !== undefined) list.query.refetch();
    route(funnelId ? `${path}?funnel=${encodeURIComponent(funnelId)}` : path);
  };
  return (
    <Page
      title={changed ? t.editor.title : t.editor.newTitle}
      help="funnels"
      actions={
        <button type="button" onClick={() => leave()}>
          {t.editor.close}
        </button>
      }
    >
      <Loaded query={list.query}>
        {() => (
          <FunnelEditor
            key={editing}
            appId={appId}
            funnel={changed}
            onSaved={(id, missing) => {
              hint.value = missing ? { funnelId: id, text: missing } : null;
              leave(id);
            }}
            onDeleted={() => leave('')}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** The settings of a report: which funnel, how long, by what, against what. */
function useReportSettings() {
  const { days, choice } = useDays(MAX_DAYS);
  const [chosen, breakDown] = useSetting('breakdown', '');
  const [comparison, compareWith] = useSetting('compare', '');
  const { environment, choice: environmentChoice } = useEnvironment();
  const breakdown = BREAKDOWNS.find(([value]) => value === chosen)?.[0] ?? '';
  const compare = COMPARISONS.find(([value]) => value === comparison)?.[0] ?? '';
  return {
    settings: { days, breakdown, compare, environment },
    choices: (
      <>
        {choice}
        <Choice
          label={t.breakdown}
          name="breakdown"
          hideLabel
          options={BREAKDOWNS}
          value={breakdown}
          onChange={breakDown}
        />
        <Choice
          label={t.compare}
          name="compare"
          hideLabel
          options={COMPARISONS}
          value={compare}
          onChange={compareWith}
        />
        {environmentChoice}
      </>
    ),
  };
}

export function Funnels() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const { settings, choices } = useReportSettings();
  const [chosen, choose] = useSetting('funnel', '');
  const [editing, edit] = useSetting('edit', '');
  const funnels = useQuery(`funnels ${appId}`, (signal) =>
    api.listFunnels({ id: appId }, { signal }),
  );
  const all = funnels.value.data ?? [];
  const list = { all, query: funnels };
  if (editing) return <Editing appId={appId} editing={editing} list={list} />;
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
          {choices}
          {funnel && <Pin appId={appId} page="funnels" title={funnel.name} />}
          <button type="button" onClick={() => edit(funnel?.id ?? '')}>
            {t.edit}
          </button>
          <button type="button" onClick={() => edit('new')}>
            {t.create}
          </button>
        </>
      }
    >
      {hint.value && hint.value.funnelId === funnel?.id && <p class="notice">{hint.value.text}</p>}
      <Loaded query={list.query}>
        {() => funnel && <Report appId={appId} funnelId={funnel.id} {...settings} />}
      </Loaded>
    </Page>
  );
}
