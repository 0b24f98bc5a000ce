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
import type { SeriesAnswer } from '../../../../clients/api/src/index.ts';
import type { EventSeries } from '../../state/app-figures.ts';
import { measureWords } from '../../state/ask-words.ts';
import { trends as t } from '../../texts/trends.ts';
import { formatOf } from './drawing.ts';
import { runningOf } from './lines.ts';
import type { Asked } from './queries.ts';
import type { Kind, TrendSettings } from './settings.ts';

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

const totalsOf = (asked: Asked | undefined): SeriesAnswer['totals'] | undefined =>
  asked?.first.kind === 'series' ? asked.first.totals : undefined;

function People(props: {
  asked: Asked | undefined;
  hasFailed: boolean;
  lately: SeriesAnswer['totals'] | undefined;
  isSeveral: boolean;
  against: string;
  cell: { isSubject: boolean; onClick: () => void };
}) {
  const { asked, hasFailed, lately, isSeveral, against, cell } = props;
  const running = asked && runningOf(asked);
  const totals = totalsOf(asked);
  const people = running?.people ?? asked?.first.totals.people;
  const { peopleChange = null } = totals ?? {};
  return (
    <Kpi
      {...cell}
      label={t.people}
      meaning={t.peopleMeaning}
      figure={isSeveral && asked?.first.kind === 'measures' ? UNKNOWN : figureOf(people, hasFailed)}
      change={
        running ? (
          <span>{t.soFar[asked.first.interval]}</span>
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
  const totals = totalsOf(asked);
  const { people, events } = running ?? totals ?? { people: 0, events: 0 };
  const change = totals?.eventsChange ?? null;
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
  answers: readonly (EventSeries | undefined)[];
  isSeveral: boolean;
  hasFailed: boolean;
  cell: { isSubject: boolean; onClick: () => void };
}) {
  const { answers, isSeveral, hasFailed, cell } = props;
  const [answer] = answers;
  const ratio = answer?.active?.dauOverMau ?? null;
  const over = answer?.active?.points.filter((one) => !one.partial && one.mau > 0) ?? [];
  const before = answer?.active?.previousDauOverMau ?? null;
  const isComparable = before !== null && answer?.notice === undefined;
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

function Measured({ asked, isSeveral }: { asked: Asked | undefined; isSeveral: boolean }) {
  if (asked?.first.kind !== 'measures') return null;
  const { value, change } = asked.first.totals;
  const format = formatOf(asked.ask);
  return (
    <Kpi
      isSubject
      label={measureWords(asked.ask.measure)}
      figure={value === null || isSeveral ? UNKNOWN : format.show(value)}
      change={!isSeveral && <Change value={change} goodWhen={format.goodWhen} />}
    />
  );
}

export function Figures(props: {
  settings: TrendSettings;
  asked: Asked | undefined;
  hasFailed: boolean;
  active: readonly (EventSeries | undefined)[];
  hasActiveFailed: boolean;
  lately: SeriesAnswer['totals'] | undefined;
  firstDay: string | null;
}) {
  const { settings, asked, hasFailed, active, lately, firstDay } = props;
  const { isRatio, ask, setAsk, change, before, draw, plain } = settings;
  const isSeveral = ask.series.length > 1;
  const isOfSeries = asked?.first.kind !== 'measures';
  const cell = (of: 'people' | 'events') => ({
    isSubject: ask.measure.of === of && !isRatio,
    onClick: () => setAsk({ ...ask, measure: { of } }, {}),
  });
  const hasNotice = asked?.first.notice !== undefined;
  const why = firstDay ? t.firstEvent(shortDay(firstDay)) : t.nothingBefore;
  return (
    <div class="trend-figures">
      <Measured {...{ asked, isSeveral }} />
      <People
        {...{ asked, hasFailed, lately, isSeveral }}
        against={dayRange(before.from, before.to)}
        cell={cell('people')}
      />
      {isOfSeries && <Events {...{ asked, hasFailed }} cell={cell('events')} />}
      {isOfSeries && plain && (
        <Ratio
          answers={active}
          isSeveral={isSeveral}
          hasFailed={props.hasActiveFailed}
          cell={{
            isSubject: isRatio,
            onClick: () => change({ chart: 'ratio', point: undefined, of: undefined }),
          }}
        />
      )}
      <div class="trend-how">
        {hasNotice && (
          <span class="chip">
            <icons.recent class="tiny" aria-hidden />
            <span title={why}>{why}</span>
          </span>
        )}
        {!isRatio && (
          <Segmented
            label={t.kind}
            compact
            options={KIND_OPTIONS}
            value={draw}
            onChange={(next: Kind) => change({ draw: next === 'line' ? undefined : next })}
          />
        )}
      </div>
    </div>
  );
}
