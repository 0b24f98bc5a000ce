import { signal } from '@preact/signals';
import { useRoute } from 'preact-iso';
import { momentIn } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { useEnvironment } from '../../parts/chips/environment.tsx';
import { BreakdownChip, ChoiceChip, FilterChips } from '../../parts/chips/index.ts';
import * as icons from '../../parts/icons.ts';
import { MoreConditions } from '../../parts/more-conditions.tsx';
import { Page } from '../../parts/page.tsx';
import { CompareControl, RangeControl } from '../../parts/range/range.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { useModule } from '../../parts/use-module.ts';
import { useCompare, useRange } from '../../state/range.ts';
import { sentBy } from '../../state/sent.ts';
import { mayEdit } from '../../state/session.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { EditDialog } from './edit-dialog.tsx';
import { drawnGroups, referenceOf } from './groups.ts';
import { HeadActs, Switcher } from './head.tsx';
import { type Asked, type Funnel, selectionOf, useFunnels, useReport, whoOf } from './queries.ts';
import { Report, ReportSkeleton, shownGroups } from './report.tsx';
import { type FunnelSettings, useFunnelSettings, type Who } from './settings.ts';
import { saveSteps } from './steps-table.tsx';
import { WithinChip } from './within.tsx';

const DEFAULT_HOURS = 336;

/** Names in the last saved definition that the app never sent. */
const hint = signal<{ funnelId: string; text: string } | null>(null);

const WHO = (['new', 'all'] as const).map((value) => ({
  value,
  label: t.who[value],
  detail: t.whoDetails[value],
}));

function footOf({ report, isWithToday }: Asked, settings: FunnelSettings) {
  const { timezone, dataThrough } = report;
  const groups = shownGroups(report, settings.isBreakdownDefault);
  const { group } = referenceOf(report, groups);
  const immature = report.people - report.maturePeople;
  const isReady = report.verdict === 'ready';
  return [
    isReady && drawnGroups(groups).length > 0 && t.certainAgainst(group?.name ?? t.allOf),
    isReady && immature > 0 && t.immature(immature),
    isWithToday && t.withToday,
    t.through(timezone, momentIn(dataThrough, timezone)),
  ];
}

function useAsked() {
  const appId = useRoute().params.id ?? '';
  const settings = useFunnelSettings();
  const range = useRange();
  const { compare } = useCompare(range);
  const { environment, choice } = useEnvironment();
  const funnels = useFunnels(appId);
  const all = funnels.value.data ?? [];
  const funnel = all.find(({ id }) => id === settings.funnelId) ?? all[0];
  const selection = selectionOf(settings, { funnel, environment });
  const report = useReport(funnel, range, {
    selection,
    breakdown: settings.breakdown,
    isCompared: compare === 'previous',
  });
  return { appId, settings, range, environment, choice, funnels, all, funnel, selection, report };
}

type AskedOf = ReturnType<typeof useAsked>;

function Toolbar({ appId, settings, range, environment, choice, funnel }: AskedOf) {
  const { breakdown, filters, change } = settings;
  const names = funnel?.steps.slice(0, 1).map(({ event }) => event) ?? [];
  const sent = sentBy(appId, { names, days: range.days, environment });
  const usual = whoOf({ ...settings, who: undefined }, funnel);
  return (
    <>
      <BreakdownChip
        sent={sent}
        value={breakdown}
        extra={['arm']}
        onChange={(next) => change({ breakdown: next ?? 'none' })}
      />
      <ChoiceChip
        name={t.who.name}
        word={t.who.word}
        options={WHO}
        value={whoOf(settings, funnel)}
        onChange={(who: Who) => change({ people: who === usual ? undefined : who })}
      />
      <FilterChips sent={sent} filters={filters.filters} onChange={filters.setFilters} />
      <MoreConditions appId={appId} as="funnel" />
      {choice}
    </>
  );
}

const loadTooFew = () => import('./by-use.ts');

function Content({ asked, of }: { asked: Asked; of: AskedOf }) {
  const { settings, selection, range, funnel } = of;
  const { report, days } = asked;
  const { module: few } = useModule(loadTooFew, report.verdict !== 'ready');
  const isNew = report.filters.people === 'new';
  const [who, usual] = [whoOf(settings, funnel), whoOf({ ...settings, who: undefined }, funnel)];
  const everybody = () => settings.change({ people: usual === 'all' ? undefined : 'all' });
  return (
    <>
      {report.hint && report.people > 0 && <p class="notice">{report.hint}</p>}
      {report.verdict === 'ready' ? (
        <Report
          {...{ asked, settings, selection }}
          onRange={(dates) => range.setRange({ kind: 'dates', ...dates })}
        />
      ) : few ? (
        <few.TooFew
          {...{ report, days, selection }}
          onEverybody={isNew && who === 'new' ? everybody : undefined}
        />
      ) : (
        <Skeleton shape="plot" />
      )}
    </>
  );
}

const NoFunnel = ({ onCreate }: { onCreate: () => void }) => (
  <section class="card">
    <Empty
      icon={icons.funnels}
      title={t.none}
      text={t.noneText}
      action={mayEdit.value && <Button onClick={onCreate}>{t.create}</Button>}
    />
  </section>
);

const leaveFor = (settings: FunnelSettings, saved?: Funnel) => {
  if (saved) hint.value = saved.hint ? { funnelId: saved.id, text: saved.hint } : null;
  const change = { edit: undefined, ...(saved && { funnel: saved.id }) };
  settings.change(change, { isBackSkipped: true });
};

export function Funnels() {
  const of = useAsked();
  const { appId, settings, funnels, all, funnel, report } = of;
  const asked = report.value.data ?? undefined;
  const groups = asked ? shownGroups(asked.report, settings.isBreakdownDefault) : [];
  const hours = settings.windowHours ?? asked?.report.conversionWindowHours ?? DEFAULT_HOURS;
  const edit = (id: string) => settings.change({ edit: id });
  return (
    <Page
      title={t.title}
      help="funnels"
      switcher={
        funnel && (
          <Switcher funnel={funnel} all={all} onChoose={(id) => settings.change({ funnel: id })} />
        )
      }
      actions={
        <HeadActs
          {...{ appId, funnel }}
          onEdit={edit}
          exports={
            asked?.report.verdict === 'ready'
              ? [{ label: t.table, save: () => saveSteps(asked.report, groups) }]
              : []
          }
        />
      }
      toolbar={{
        left: <Toolbar {...of} />,
        right: (
          <>
            <WithinChip
              hours={hours}
              isChosen={settings.windowHours !== undefined}
              onChange={(windowHours) => settings.change({ windowHours })}
            />
            <CompareControl />
            <RangeControl />
          </>
        ),
      }}
      foot={asked ? footOf(asked, settings) : []}
    >
      {hint.value && hint.value.funnelId === funnel?.id && <p class="notice">{hint.value.text}</p>}
      <Loaded query={funnels} skeleton={<ReportSkeleton />}>
        {() =>
          funnel ? (
            <Loaded query={report} skeleton={<ReportSkeleton />}>
              {(data) => data && <Content asked={data} of={of} />}
            </Loaded>
          ) : (
            <NoFunnel onCreate={() => edit('new')} />
          )
        }
      </Loaded>
      <EditDialog
        appId={appId}
        edited={settings.edited}
        funnels={funnels}
        onSaved={(saved) => {
          funnels.refetch();
          leaveFor(settings, saved);
        }}
        onDeleted={() => {
          funnels.refetch();
          settings.change({ edit: undefined, funnel: undefined }, { isBackSkipped: true });
        }}
        onClose={() => leaveFor(settings)}
      />
    </Page>
  );
}
