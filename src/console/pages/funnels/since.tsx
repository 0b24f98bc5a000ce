import { dayRange } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { GOOD_RATES } from '../../parts/chart/formats.ts';
import { type ChartMark, TimeChart } from '../../parts/chart/index.ts';
import { useMarks } from '../../parts/chart/marks.ts';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { addDays, type Days, daysBefore } from '../../state/days.ts';
import { funnels as t } from '../../texts/funnels.ts';
import { type Asked, type FunnelReport, type Source, useTrendBefore, useWeeks } from './queries.ts';
import type { Fall } from './sentence.ts';
import { badDays, type Course, courseOf, isByDay, sinceFirst, versionMarks } from './trend.ts';

const HEIGHT_PX = 244;
const FEWEST_DAYS = 2;
const FEWEST_WEEKS = 2;
const WEEK_DAYS = 7;

type Part = { report: FunnelReport; days: Days; source: Source };

type CourseProps = Part & {
  course: Course;
  fall: Fall | null;
  onDays: (days: Days) => void;
  onVersion: ((version: string) => void) | undefined;
  onRange: (days: Days) => void;
};

function daysOf({ days, unit, mean }: Course, day: string): Days {
  const last = days.at(-1) ?? day;
  if (unit === 'week') return { from: day, to: addDays(day, WEEK_DAYS - 1) };
  return { from: addDays(day, 1 - mean), to: day > last ? last : day };
}

function useBefore({ report, days, source }: Part, unit: Course['unit']) {
  const interval = unit === 'week' ? 'week' : 'day';
  const { data } = useTrendBefore({ report, days, source }, interval).value;
  const isShown = report.comparison?.notice === undefined && report.comparison !== undefined;
  if (!data?.trend || !isShown) return undefined;
  const before = courseOf(data.trend, { unit: interval, timezone: data.timezone });
  const { from, to } = daysBefore(days);
  return {
    name: t.before(dayRange(from, to)),
    days: before.days,
    values: before.rates.map((point) => point.rate),
  };
}

function CourseChart(props: CourseProps) {
  const { report, course, fall, days, onDays, onVersion } = props;
  const marks = useMarks(report.appId, days);
  const drawn = versionMarks(marks.drawn, fall);
  const previous = useBefore(props, course.unit);
  const last = course.days.at(-1) ?? days.to;
  return (
    <TimeChart
      title={t.since}
      csvName="funnel-since-when"
      unit={course.unit}
      days={course.days}
      series={[
        {
          key: 'rate',
          name: t.conversionColumn,
          values: course.rates.map((point) => point.rate),
          low: course.rates.map((point) => point.low),
          high: course.rates.map((point) => point.high),
        },
      ]}
      {...(previous && { previous })}
      format={GOOD_RATES}
      height={HEIGHT_PX}
      marks={drawn}
      shades={badDays(drawn, last)}
      isLastPartial={course.isLastPartial}
      zone={report.timezone}
      actionOf={() => t.openDay}
      {...(onVersion && {
        onMark: ({ version }: ChartMark) => version && onVersion(version),
      })}
      onDay={(day) => onDays(daysOf(course, day))}
      onRange={(from, to) => props.onRange({ from, to })}
    />
  );
}

function Sub({ report, course }: { report: FunnelReport; course: Course }) {
  const { unit, mean } = course;
  const say = (ofDays: (days: number) => string) => {
    if (unit === 'week') return t.byWeek;
    return mean > 1 ? ofDays(mean) : '';
  };
  return (
    <>
      <span class="wide-only">{t.sinceSub(report.filters.people === 'new', say(t.meanOf))}</span>
      <span class="narrow-only">{say(t.meanOfDays)}</span>
    </>
  );
}

function ByWeek(props: Omit<CourseProps, 'course'>) {
  const weeks = useWeeks(props);
  return (
    <Loaded query={weeks} skeleton={<Skeleton shape="plot" />}>
      {({ trend = [], timezone, minimumPeople }) => {
        const course = courseOf(sinceFirst(trend), { unit: 'week', timezone });
        const known = course.rates.filter((point) => point.rate !== null);
        if (known.length < FEWEST_WEEKS) {
          return <p class="quiet">{t.sinceTooFew(minimumPeople)}</p>;
        }
        return <CourseChart {...props} course={course} />;
      }}
    </Loaded>
  );
}

export function Since(
  props: Pick<Asked, 'report' | 'days'> & Omit<CourseProps, 'course' | 'report' | 'days'>,
) {
  const { report } = props;
  const { timezone } = report;
  const trend = sinceFirst(report.trend ?? []);
  const course = courseOf(trend, { unit: isByDay(trend) ? 'day' : 'week', timezone });
  const isShort = trend.length <= FEWEST_DAYS;
  return (
    <Card
      title={t.since}
      sub={!isShort && <Sub report={report} course={course} />}
      class="funnel-since"
    >
      {isShort ? (
        <p class="quiet">{t.sinceTooShort}</p>
      ) : isByDay(trend) ? (
        <CourseChart {...props} course={course} />
      ) : (
        <ByWeek {...props} />
      )}
    </Card>
  );
}
