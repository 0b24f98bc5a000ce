import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { momentIn } from '../../format.ts';
import { useMarks } from '../../parts/chart/marks.ts';
import * as icons from '../../parts/icons.ts';
import { useModule } from '../../parts/use-module.ts';
import { bysOf, fieldOf } from '../../state/ask.ts';
import { fieldWord } from '../../state/condition-words.ts';
import { dimensionOf, isProperty } from '../../state/filter-rules.ts';
import { marksQuery } from '../../state/range-query.ts';
import { turn } from '../../state/signals.ts';
import { questions } from '../../texts/questions.ts';
import { trends as t } from '../../texts/trends.ts';
import { useAnswered, useAnswers } from '../questions/answers.tsx';
import { Door } from '../questions/door.tsx';
import { type Asked, askedOf, useActive, useFirstDay, useLately } from './queries.ts';
import { type TrendSettings, useTrendSettings } from './settings.ts';

const KEY = 'c';
/** A letter after it goes to a page. */
const FIRST_OF_TWO = 'g';

const isTyped = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, dialog, [popover], [role="menu"]') !== null;

function useNotes() {
  const isOpen = useSignal(false);
  useEffect(() => {
    let before = '';
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isSecond = before === FIRST_OF_TWO;
      before = key;
      if (key.toLowerCase() !== KEY || ctrlKey || metaKey || altKey) return;
      if (isSecond || event.defaultPrevented || isTyped(event)) return;
      event.preventDefault();
      isOpen.value = true;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return isOpen;
}

const loadReport = () => import('./content.ts');
const loadNotes = () => import('./notes.tsx');

function distinctNote({ ask: { breakdown, series } }: Asked): string {
  const [field] = bysOf(breakdown).map(fieldOf);
  if (field === undefined) {
    return series.length > 1 ? t.foot.distinctEvents : t.foot.distinct;
  }
  const dimension = dimensionOf(field);
  return t.foot.distinctBy(
    dimension && !isProperty(dimension)
      ? t.foot.fields[dimension]
      : t.foot.values(fieldWord(field)),
  );
}

function footOf(
  asked: Asked | undefined,
  { isRatio, ask }: TrendSettings,
  openNotes: () => void,
): ComponentChildren[] {
  if (!asked) return [];
  const { first } = asked;
  const { timezone, dataThrough, countedFrom, points } = first;
  return [
    ask.measure.of === 'people' && distinctNote(asked),
    isRatio && ask.breakdown && t.foot.ratio,
    first.kind === 'measures' && first.relativeError !== null && questions.approximate,
    points.at(-1)?.partial && first.interval === 'day' && t.foot.hollow,
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
  const settings = useTrendSettings();
  const { appId, range } = settings;
  const queries = useAnswers(settings);
  const answered = useAnswered(settings.ask, queries);
  const asked =
    answered?.ask.kind === 'trend' ? askedOf(answered.ask, answered.answers) : undefined;
  // Beside it the first figure would take twice as long.
  const isAnswered = asked !== undefined || queries.some(({ value }) => value.error);
  const active = useActive(appId, settings, isAnswered);
  const hasNotice = asked?.first.notice !== undefined;
  const lately = useLately(appId, settings, hasNotice);
  const firstDay = useFirstDay(appId, settings, hasNotice);
  const marks = useMarks(appId, marksQuery(range), isAnswered);
  const notes = useNotes();
  const { module: dialog } = useModule(loadNotes, notes.value);
  const openNotes = turn(notes, true);
  const report = { appId, settings, queries, asked, active, lately, firstDay };
  const { module: content } = useModule(loadReport);
  const table = content?.tableOf(report);
  return (
    <Door
      {...{ settings, queries, title: t.title, question: t.question }}
      exports={
        table
          ? [
              {
                label: t.table.title,
                save: () => content?.saveTable(table),
              },
            ]
          : []
      }
      foot={footOf(asked, settings, openNotes)}
    >
      {content ? (
        <content.TrendReport {...report} table={table} marks={marks.drawn} onNote={openNotes} />
      ) : (
        <section class="card" aria-busy="true">
          <div class="skeleton trend-figures-skeleton" />
          <div class="card-body trend-body">
            <div class="skeleton trend-skeleton" />
          </div>
        </section>
      )}
      {dialog && (
        <dialog.NotesDialog
          appId={appId}
          isOpen={notes.value}
          marks={marks.marks ?? []}
          dates={range.dates}
          day={range.today}
          onClose={turn(notes, false)}
        />
      )}
    </Door>
  );
}
