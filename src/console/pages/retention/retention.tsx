import { useEffect, useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { momentIn } from '../../format.ts';
import { Behind } from '../../parts/behind.tsx';
import { Card } from '../../parts/card.tsx';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import { Triangle } from '../../parts/chart/index.ts';
import { ChoiceChip, EventChip } from '../../parts/chips/index.ts';
import { CopyLink } from '../../parts/copy-link.tsx';
import * as icons from '../../parts/icons.ts';
import { MoreConditions } from '../../parts/more-conditions.tsx';
import { Page } from '../../parts/page.tsx';
import { Pin } from '../../parts/pin.tsx';
import { RangeControl } from '../../parts/range/range.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { api } from '../../state/api.ts';
import { useQuery } from '../../state/query.ts';
import { backQuery } from '../../state/range-query.ts';
import { sentBy } from '../../state/sent.ts';
import { retention as t } from '../../texts/retention.ts';
import { Curve } from './curve.tsx';
import {
  afterName,
  cohortName,
  knownPeriods,
  periodName,
  type Report,
  rowsOf,
  sentence,
} from './report.ts';
import { cellName, type RetentionSettings, useRetentionSettings } from './settings.ts';

const optionsOf = <T extends string>(
  names: Record<T, string>,
  details: Record<T, string>,
  values: readonly T[],
) => values.map((value) => ({ value, label: names[value], detail: details[value] }));

const COHORT_OPTIONS = optionsOf(t.cohorts, t.cohortDetails, ['first', 'recurring']);
const CRITERION_OPTIONS = optionsOf(t.criteria, t.criterionDetails, ['on', 'on_or_after']);
const CLOCK_OPTIONS = optionsOf(t.clocks, t.clockDetails, ['calendar', 'hours']);

function Toolbar({ appId, settings }: { appId: string; settings: RetentionSettings }) {
  const { starts, returns, cohort, criterion, clock, interval, range, environment } = settings;
  const { choose } = settings;
  const sent = sentBy(appId, { days: backQuery(range).days, environment });
  return (
    <>
      <EventChip
        name={t.starts.name}
        word={t.starts.word}
        sent={sent}
        value={starts}
        onChange={(name) => choose({ starts: name || undefined })}
      />
      <EventChip
        name={t.returns.name}
        word={t.returns.word}
        sent={sent}
        value={returns}
        onChange={(name) => choose({ returns: name || undefined })}
      />
      <ChoiceChip
        name={t.cohortName}
        options={COHORT_OPTIONS}
        value={cohort}
        onChange={(next) => choose({ cohort: next === 'first' ? undefined : next })}
      />
      <ChoiceChip
        name={t.criterionName}
        options={CRITERION_OPTIONS}
        value={criterion}
        onChange={(next) => choose({ criterion: next === 'on' ? undefined : next })}
      />
      {interval !== 'month' && (
        <ChoiceChip
          name={t.clockName}
          options={CLOCK_OPTIONS}
          value={clock}
          onChange={(next) => choose({ clock: next === 'calendar' ? undefined : next })}
        />
      )}
      <MoreConditions appId={appId} as="retention" />
      {settings.environmentChoice}
    </>
  );
}

function People({
  appId,
  report,
  settings,
}: {
  appId: string;
  report: Report;
  settings: RetentionSettings;
}) {
  const { cell, selection, pick } = settings;
  const place = useRef<HTMLDivElement>(null);
  const name = cell && cellName(cell.cohortIndex, cell.period);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [name]);
  const cohort = cell && report.cohorts[cell.cohortIndex];
  if (!cell || !cohort) return null;
  const { cohortIndex, period } = cell;
  const of = cohortName(report, cohort.from);
  const count = period === null ? cohort.people : cohort.periods[period - 1]?.returned;
  const query = { ...selection, cohortIndex, ...(period !== null && { period }) };
  return (
    <div ref={place} class="retention-people">
      <Behind
        appId={appId}
        title={period === null ? t.behind(of) : t.behindPeriod(of, afterName(report, period))}
        question={`${appId} ${JSON.stringify(query)}`}
        {...(typeof count === 'number' && { count })}
        ask={(page, options) =>
          api.listEventRetentionPeople({ id: appId, query: { ...query, ...page } }, options)
        }
        onClose={() => pick(undefined)}
      />
    </div>
  );
}

function Content({
  appId,
  report,
  settings,
}: {
  appId: string;
  report: Report;
  settings: RetentionSettings;
}) {
  const { pick, starts, returns } = settings;
  const { people, minimumPeople, verdict, forecast, interval, cohort, hint } = report;
  const isReady = verdict === 'ready';
  const periods = knownPeriods(report);
  const said = isReady ? sentence(report, { starts, returns }) : null;
  if (people === 0) {
    return (
      <section class="card">
        <Empty icon={icons.retention} title={t.none} text={hint ?? t.noneWhy} />
      </section>
    );
  }
  return (
    <>
      {hint && <p class="notice">{hint}</p>}
      {said && <p class="say">{said}</p>}
      {!isReady && (
        <p class="notice">
          {forecast?.text ?? t.tooFew(people, minimumPeople)} {t.sizesOnly}
        </p>
      )}
      <Card title={t.triangle} sub={t.triangleSub(cohort, interval)}>
        <Triangle
          caption={t.triangle}
          csvName="retention"
          heads={{ cohort: t.heads[cohort], people: t.people }}
          columns={Array.from({ length: periods }, (_, index) => periodName(report, index + 1))}
          rows={rowsOf(report)}
          {...(isReady && {
            onCell: (key: string, column: number) => pick(cellName(Number(key), column + 1)),
            onRow: (key: string) => pick(cellName(Number(key), null)),
          })}
        />
      </Card>
      <People appId={appId} report={report} settings={settings} />
      {said && <Curve report={report} onPick={(index, period) => pick(cellName(index, period))} />}
    </>
  );
}

function footOf(report: Report | undefined) {
  if (!report) return [];
  const { timezone, dataThrough, countedFrom, clock, cohorts, minimumPeople } = report;
  const hasFew = cohorts.some((one) => one.people > 0 && one.people < minimumPeople);
  return [
    t.foot.unfinished,
    t.foot.mean,
    hasFew && t.foot.few(minimumPeople),
    clock === 'hours' && t.foot.hours,
    t.foot.through(timezone, momentIn(dataThrough, timezone), countedFrom),
  ];
}

const skeleton = (
  <>
    <div class="skeleton retention-sentence" aria-busy="true" />
    <section class="card">
      <div class="card-body">
        <Skeleton shape="rows" count={6} />
      </div>
    </section>
    <section class="card">
      <div class="card-body">
        <div class="skeleton retention-plot" aria-busy="true" />
      </div>
    </section>
  </>
);

export function Retention() {
  const appId = useRoute().params.id ?? '';
  const settings = useRetentionSettings();
  const { selection, periods, intervals, interval, starts, returns } = settings;
  const query = { ...selection, periods };
  const report = useQuery(`retention ${appId} ${JSON.stringify(query)}`, (signal) =>
    api.getEventRetention({ id: appId, query }, { signal }),
  );
  return (
    <Page
      title={t.title}
      question={t.question}
      help="explore"
      actions={
        <>
          <span class="wide-only">
            <CopyLink />
          </span>
          <span class="wide-only">
            <ExportMenu />
          </span>
          <Pin appId={appId} page="retention" title={t.pinName(starts, returns)} />
        </>
      }
      toolbar={{
        left: <Toolbar appId={appId} settings={settings} />,
        right: (
          <>
            <Segmented
              label={t.interval}
              options={intervals.map((one) => [one, t.intervals[one]] as const)}
              value={interval}
              onChange={settings.setInterval}
            />
            <RangeControl />
          </>
        ),
      }}
      foot={footOf(report.value.data)}
    >
      <Loaded query={report} skeleton={skeleton}>
        {(data) => <Content appId={appId} report={data} settings={settings} />}
      </Loaded>
    </Page>
  );
}
