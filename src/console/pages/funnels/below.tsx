import { useEffect, useRef } from 'preact/hooks';
import { dayRange, momentIn } from '../../format.ts';
import { Behind } from '../../parts/behind.tsx';
import { questionsOf } from '../../state/ask.ts';
import { type Days, earlier, later } from '../../state/days.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { type Group, isByVersion } from './groups.ts';
import type { Listed } from './listed.ts';
import type { FunnelReport, Source } from './queries.ts';
import type { Fall } from './sentence.ts';
import { Since } from './since.tsx';
import { headOr, stepWords } from './step-words.ts';

/** Beside the picture, unless somebody asked for them. */
const SHOWN = 5;
const SHOWN_ASKED = 10;

function wordsOf(report: FunnelReport, { step, kind }: Listed) {
  const at = (index: number) =>
    stepWords(report.steps[index] ?? { event: '', label: String(index + 1) });
  const reachedLast = at(kind === 'stopped' ? step - 2 : step - 1);
  return {
    title: kind === 'stopped' ? t.stopped(reachedLast.place) : t.reached(reachedLast.did),
    reached: headOr(reachedLast.did, t.reachedAt),
  };
}

function withinDays(entered: Days | undefined, days: Days): Days {
  if (!entered) return days;
  return { from: later(entered.from, days.from), to: earlier(entered.to, days.to) };
}

function figureOf({ ask, environment }: Source, { step, kind, of, entered }: Listed, window: Days) {
  // Their first step is the one of the counted path.
  if (of !== undefined || entered) return undefined;
  const [question] = questionsOf(ask, { environment, interval: 'day', periods: 1, window });
  const dropped = kind === 'stopped';
  return question && { question, figure: { of: 'step' as const, step, dropped } };
}

function People(props: {
  report: FunnelReport;
  groups: readonly Group[];
  days: Days;
  source: Source;
  listed: Listed;
  onClose: (() => void) | undefined;
}) {
  const { report, groups, days, source, listed } = props;
  const { appId, timezone, computedAt } = report;
  const { step, kind, of, entered } = listed;
  const group = groups.find(({ value }) => value === of);
  const { title, reached } = wordsOf(report, listed);
  const figures = (group?.figures ?? report).steps[step - 1];
  const count = kind === 'stopped' ? figures?.dropped : figures?.people;
  const within = withinDays(entered, days);
  const fetchPage = source.people(listed, within);
  const question = `funnel ${source.key} ${computedAt} ${JSON.stringify([listed, within])}`;
  const sub = [group?.name ?? of, entered && t.enteredOn(dayRange(entered.from, entered.to))];
  const place = useShownPlace(JSON.stringify(listed));
  if (!fetchPage) return null;
  return (
    <div ref={place} class="funnel-list" tabIndex={-1}>
      <Behind
        appId={appId}
        title={title}
        sub={sub.filter(Boolean).join(', ')}
        {...(!entered && typeof count === 'number' && { count })}
        question={question}
        ask={fetchPage}
        figure={figureOf(source, listed, within)}
        columns={
          source.counted
            ? [
                {
                  label: reached,
                  show: ({ reachedAt = '' }) => momentIn(reachedAt, timezone),
                  plain: ({ reachedAt = '' }) => reachedAt,
                },
              ]
            : []
        }
        shown={props.onClose ? SHOWN_ASKED : SHOWN}
        {...(props.onClose && { onClose: props.onClose })}
      />
    </div>
  );
}

function useShownPlace(asked: string) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(asked);
  useEffect(() => {
    if (shown.current === asked) return;
    shown.current = asked;
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.focus({ preventScroll: true });
  }, [asked]);
  return place;
}

export function Below(props: {
  report: FunnelReport;
  groups: readonly Group[];
  days: Days;
  source: Source;
  fall: Fall | null;
  listed: Listed | undefined;
  /** Else it is that of the biggest leak. */
  isAsked: boolean;
  onList: (listed: Listed | undefined) => void;
  onRange: (days: { from: string; to: string }) => void;
}) {
  const { report, groups, days, source, fall, listed, isAsked, onList } = props;
  return (
    <div class={isAsked ? 'grid funnel-below listed' : 'grid funnel-below'}>
      <Since
        {...{ report, days, source, fall }}
        onVersion={listed && isByVersion(report) ? (of) => onList({ ...listed, of }) : undefined}
        onDays={(entered) => listed && onList({ ...listed, entered })}
        onRange={props.onRange}
      />
      {listed && (
        <People
          {...{ report, groups, days, source, listed }}
          onClose={isAsked ? () => onList(undefined) : undefined}
        />
      )}
    </div>
  );
}
