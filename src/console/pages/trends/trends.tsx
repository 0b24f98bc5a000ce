import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { momentIn } from '../../format.ts';
import { ExportMenu } from '../../parts/chart/export-menu.tsx';
import { useMarks } from '../../parts/chart/marks.ts';
import { BreakdownChip, EventChips, FilterChips } from '../../parts/chips/index.ts';
import { CopyLink } from '../../parts/copy-link.tsx';
import * as icons from '../../parts/icons.ts';
import { MoreConditions } from '../../parts/more-conditions.tsx';
import { Page } from '../../parts/page.tsx';
import { Pin } from '../../parts/pin.tsx';
import { CompareControl, RangeControl } from '../../parts/range/range.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { useModule } from '../../parts/use-module.ts';
import { type Dimension, isProperty, propertyOf } from '../../state/filter-rules.ts';
import { backQuery, marksQuery } from '../../state/range-query.ts';
import { sentBy } from '../../state/sent.ts';
import { controls } from '../../texts/controls.ts';
import { trends as t } from '../../texts/trends.ts';
import { viewName } from './chart.tsx';
import { type Asked, useActive, useFirstDay, useLately, useSeries } from './queries.ts';
import { TrendReport, tableOf } from './report.tsx';
import { type TrendSettings, useTrendSettings } from './settings.ts';
import { saveTable } from './table.tsx';
import { useNotes } from './use-notes.ts';

const loadNotes = () => import('./notes.tsx');

function ToolbarLeft({ appId, settings }: { appId: string; settings: TrendSettings }) {
  const { names, breakdown, filters, range, environment, environmentChoice } = settings;
  const { days } = backQuery(range);
  const sent = sentBy(appId, { names, days, environment });
  return (
    <>
      <EventChips
        sent={sent}
        names={names}
        onChange={settings.setNames}
        oneOnly={breakdown && controls.chips.severalEvents}
      />
      <span class="toolbar-rule wide-only" />
      <BreakdownChip<Dimension>
        sent={sent}
        value={breakdown}
        onChange={settings.setBreakdown}
        disabledWhy={names.length > 1 ? controls.chips.severalEvents : undefined}
      />
      <FilterChips sent={sent} filters={filters.filters} onChange={filters.setFilters} />
      <MoreConditions appId={appId} as="trend" />
      {environmentChoice}
    </>
  );
}

function distinctNote({ breakdown, names }: Asked): string {
  if (breakdown) {
    return t.foot.distinctBy(
      isProperty(breakdown) ? t.foot.values(propertyOf(breakdown)) : t.foot.fields[breakdown],
    );
  }
  return names.length > 1 ? t.foot.distinctEvents : t.foot.distinct;
}

function footOf(
  asked: Asked | undefined,
  { subject, breakdown }: TrendSettings,
  openNotes: () => void,
): ComponentChildren[] {
  if (!asked) return [];
  const { timezone, dataThrough, countedFrom, points } = asked.series;
  return [
    subject !== 'events' && distinctNote(asked),
    subject === 'ratio' && breakdown && t.foot.ratio,
    points.at(-1)?.partial && asked.interval === 'day' && t.foot.hollow,
    t.foot.zone(timezone, momentIn(dataThrough, timezone), countedFrom),
    <span class="trend-hint" key="hint">
      <icons.pointer class="tiny" aria-hidden />
      <span class="wide-only">{t.foot.pointer}</span>
      <button type="button" class="link" onClick={openNotes}>
        <kbd class="wide-only">{t.foot.key}</kbd> {t.foot.adds}
      </button>
    </span>,
  ];
}

export function Trends() {
  const appId = useRoute().params.id ?? '';
  const settings = useTrendSettings();
  const { range, interval, intervals } = settings;
  const series = useSeries(appId, settings);
  const asked = series.value.data;
  // Beside it the first figure would take twice as long.
  const isAnswered = asked !== undefined || !!series.value.error;
  const active = useActive(appId, settings, isAnswered);
  const hasNotice = asked?.series.notice !== undefined;
  const lately = useLately(appId, settings, hasNotice);
  const firstDay = useFirstDay(appId, settings, hasNotice);
  const marks = useMarks(appId, marksQuery(range), isAnswered);
  const notes = useNotes();
  const { module: dialog } = useModule(loadNotes, notes.value);
  const openNotes = () => {
    notes.value = true;
  };
  const report = { appId, settings, series, active, lately, firstDay };
  const table = tableOf(report);
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
            <ExportMenu
              items={table ? [{ label: t.table.title, save: () => saveTable(table) }] : []}
            />
          </span>
          <Pin appId={appId} page="trends" title={viewName(settings, interval)} />
        </>
      }
      toolbar={{
        left: <ToolbarLeft appId={appId} settings={settings} />,
        right: (
          <>
            <Segmented
              label={t.interval}
              options={intervals.map((one) => [one, t.intervals[one]] as const)}
              value={interval}
              onChange={settings.setInterval}
            />
            <CompareControl />
            <RangeControl />
          </>
        ),
      }}
      foot={footOf(asked, settings, openNotes)}
    >
      <TrendReport {...report} table={table} marks={marks.drawn} onNote={openNotes} />
      {dialog && (
        <dialog.NotesDialog
          appId={appId}
          isOpen={notes.value}
          marks={marks.marks ?? []}
          dates={range.dates}
          day={range.today}
          onChange={marks.refetch}
          onClose={() => {
            notes.value = false;
          }}
        />
      )}
    </Page>
  );
}
