import {
  dayRange,
  exactNumber,
  rate,
  shortDay,
  shortNumber,
  signedPoints,
  UNKNOWN,
} from '../../format.ts';
import { Change } from '../../parts/change.tsx';
import * as icons from '../../parts/icons.ts';
import { Kpi } from '../../parts/kpis.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import type { EventSeries } from '../../state/app-figures.ts';
import { trends as t } from '../../texts/trends.ts';
import { runningOf } from './lines.ts';
import type { ActiveAnswer, Asked } from './queries.ts';
import type { Kind, Subject, TrendSettings } from './settings.ts';

const KIND_OPTIONS = [
  ['line', t.kinds.line, icons.trends],
  ['area', t.kinds.area, icons.area],
  ['bar', t.kinds.bar, icons.bars],
] as const;

const LONGEST = 1_000_000;
const wholeNumber = (value: number): string =>
  value < LONGEST ? exactNumber(value) : shortNumber(value);

function figureOf(value: number | undefined, hasFailed: boolean) {
  if (value === undefined) return hasFailed ? UNKNOWN : undefined;
  return <span title={exactNumber(value)}>{wholeNumber(value)}</span>;
}

function People(props: {
  asked: Asked | undefined;
  hasFailed: boolean;
  lately: EventSeries['totals'] | undefined;
  against: string;
  cell: { isSubject: boolean; onClick: () => void };
}) {
  const { asked, hasFailed, lately, against, cell } = props;
  const running = asked && runningOf(asked);
  const people = running?.people ?? asked?.series.totals.people;
  const { peopleChange = null } = asked?.series.totals ?? {};
  return (
    <Kpi
      {...cell}
      label={t.people}
      meaning={t.peopleMeaning}
      figure={figureOf(people, hasFailed)}
      change={
        running ? (
          <span>{t.soFar[asked.interval]}</span>
        ) : peopleChange !== null ? (
          <Change value={peopleChange} goodWhen="up" against={against} />
        ) : (
          lately &&
          lately.peopleChange !== null && (
            <>
              <Change value={lately.peopleChange} goodWhen="up" />
              <span>{t.lately}</span>
            </>
          )
        )
      }
    />
  );
}

function Events(props: {
  asked: Asked | undefined;
  hasFailed: boolean;
  cell: { isSubject: boolean; onClick: () => void };
}) {
  const { asked, hasFailed, cell } = props;
  const running = asked && runningOf(asked);
  const { people, events } = running ?? asked?.series.totals ?? { people: 0, events: 0 };
  const change = asked?.series.totals.eventsChange ?? null;
  return (
    <Kpi
      {...cell}
      label={t.events}
      meaning={t.eventsMeaning}
      figure={figureOf(asked && events, hasFailed)}
      change={
        asked && (
          <>
            <Change value={change} goodWhen="up" />
            {people > 0 && <span>{t.perPerson(events / people)}</span>}
          </>
        )
      }
    />
  );
}

function Ratio(props: {
  answers: readonly (ActiveAnswer | undefined)[];
  isSeveral: boolean;
  hasFailed: boolean;
  cell: { isSubject: boolean; onClick: () => void };
}) {
  const { answers, isSeveral, hasFailed, cell } = props;
  const [answer] = answers;
  const ratio = answer?.series.active?.dauOverMau ?? null;
  const over = answer?.series.active?.points.filter((one) => !one.partial && one.mau > 0) ?? [];
  const before = answer?.series.active?.previousDauOverMau ?? null;
  const isComparable = before !== null && answer?.series.notice === undefined;
  const words = () => {
    if (isSeveral) return <span>{t.ratioOfEach}</span>;
    if (hasFailed) return <span>{t.failed}</span>;
    if (!answer) return undefined;
    if (ratio === null) return <span>{over.length === 0 ? t.laterForRatio : t.fewForRatio}</span>;
    return (
      <>
        {isComparable && <span class="change">{t.points(signedPoints(ratio - before))}</span>}
        <span>{t.meanOf(over.length)}</span>
      </>
    );
  };
  const isKnown = isSeveral || hasFailed || answer !== undefined;
  return (
    <Kpi
      {...cell}
      label={t.ratio}
      meaning={t.ratioMeaning}
      figure={isKnown ? rate(isSeveral ? null : ratio) : undefined}
      change={words()}
    />
  );
}

export function Figures(props: {
  settings: TrendSettings;
  asked: Asked | undefined;
  hasFailed: boolean;
  active: readonly (ActiveAnswer | undefined)[];
  hasActiveFailed: boolean;
  lately: EventSeries['totals'] | undefined;
  firstDay: string | null;
}) {
  const { settings, asked, hasFailed, active, lately, firstDay } = props;
  const { subject, change, before, names, kind } = settings;
  const cell = (of: Subject) => ({
    isSubject: subject === of,
    onClick: () => change({ chart: of === 'people' ? undefined : of, point: undefined }),
  });
  const hasNotice = asked?.series.notice !== undefined;
  const why = firstDay ? t.firstEvent(shortDay(firstDay)) : t.nothingBefore;
  return (
    <div class="trend-figures">
      <People
        asked={asked}
        hasFailed={hasFailed}
        lately={lately}
        against={dayRange(before.from, before.to)}
        cell={cell('people')}
      />
      <Events asked={asked} hasFailed={hasFailed} cell={cell('events')} />
      <Ratio
        answers={active}
        isSeveral={names.length > 1}
        hasFailed={props.hasActiveFailed}
        cell={cell('ratio')}
      />
      <div class="trend-how">
        {hasNotice && (
          <span class="chip">
            <icons.recent class="tiny" aria-hidden />
            <span title={why}>{why}</span>
          </span>
        )}
        {subject !== 'ratio' && (
          <Segmented
            label={t.kind}
            compact
            options={KIND_OPTIONS}
            value={kind}
            onChange={(next: Kind) => change({ draw: next === 'line' ? undefined : next })}
          />
        )}
      </div>
    </div>
  );
}
