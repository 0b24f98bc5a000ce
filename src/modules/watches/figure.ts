import type { AppContext } from '../../context.ts';
import { AssertionError, at } from '../../shared/assert.ts';
import { type CalendarInterval, calendarBoundaries } from '../../shared/calendar.ts';
import { invalidInput } from '../../shared/errors.ts';
import { HOUR_MS, toIso } from '../../shared/time.ts';
import { resolveTimezone } from '../app-settings/index.ts';
import { windowHours } from '../funnels/index.ts';
import { type Answer, answerQuestion, type Question } from '../questions/index.ts';
import type { WatchFigure, WatchRule } from './model.ts';
import { type FigurePoint, pointsNeeded, type Scale } from './rules/change.ts';

/** When most events that come late are there. */
const LATE_MS = 2 * HOUR_MS;

const LAGS: Readonly<Partial<Record<CalendarInterval, number>>> = { day: 7, week: 1 };

type Asked = Extract<Question, { kind: 'series' | 'funnel' | 'measures' }>;

const KINDS: Readonly<Record<WatchFigure['of'], Asked['kind']>> = {
  people: 'series',
  events: 'series',
  conversion: 'funnel',
  value: 'measures',
};

export const watchInterval = ({ interval = 'day' }: Asked): CalendarInterval => interval;

function resolveLag(question: Asked): number {
  const lag = LAGS[watchInterval(question)];
  if (lag === undefined) throw invalidInput('rule', 'a change needs a question by day or week');
  return lag;
}

export function checkFigure(
  question: Question,
  { figure, rule }: { figure: WatchFigure; rule: WatchRule },
): Asked {
  const needed = KINDS[figure.of];
  if (question.kind !== needed) {
    throw invalidInput('figure.of', `${figure.of} is a figure of ${needed}`);
  }
  if (question.kind === 'series' && figure.of !== 'conversion' && figure.of !== 'value') {
    const { series = 1 } = figure;
    if (series > question.series.length) throw invalidInput('figure.series', 'is none of them');
  }
  if (question.kind === 'funnel' && figure.of === 'conversion') {
    const { step = 2 } = figure;
    if (step > question.steps.length) throw invalidInput('figure.step', 'is none of them');
  }
  if (question.kind !== 'series' && question.kind !== 'funnel' && question.kind !== 'measures') {
    throw new AssertionError('Figures are of these kinds.');
  }
  if (rule.kind === 'change') resolveLag(question);
  return question;
}

type Span = { from: string; to: string; interval: CalendarInterval };

function toQuestion(asked: Asked, figure: WatchFigure, { from, to }: Span): Question {
  const { days: _days, ...question } = asked;
  const window = { from, to };
  switch (question.kind) {
    case 'series': {
      const { breakdown: _breakdown, series, ...rest } = question;
      const place = 'series' in figure ? (figure.series ?? 1) : 1;
      return { ...rest, ...window, series: [at(series, place - 1)], compare: false };
    }
    case 'measures':
      return { ...question, ...window, compare: false };
    case 'funnel': {
      const { breakdown: _breakdown, distribution: _times, steps, exclusions, ...rest } = question;
      const last = 'step' in figure ? (figure.step ?? steps.length) : steps.length;
      const between = exclusions?.filter(({ before }) => before <= last) ?? [];
      return {
        ...{ ...rest, ...window, steps: steps.slice(0, last) },
        ...(between.length > 0 && { exclusions: between }),
        interval: question.interval ?? 'day',
      };
    }
  }
}

type Value = Pick<FigurePoint, 'value' | 'people'>;

function readValues(answer: Answer, { of }: WatchFigure): Value[] {
  switch (answer.kind) {
    case 'series':
      return answer.points.map(({ people, events }) => ({
        value: of === 'events' ? events : people,
        people,
      }));
    case 'measures':
      return answer.points.map(({ value, people }) => ({ value, people }));
    case 'funnel':
      return (answer.trend ?? []).map(({ people, rate }) => ({ value: rate, people }));
    default:
      throw new AssertionError('Figures are of these kinds.');
  }
}

const COUNTS = new Set(['people', 'events', 'sessions']);

function toScale(question: Asked): Scale {
  if (question.kind === 'series') return 'count';
  if (question.kind === 'funnel') return 'share';
  const { measure } = question;
  if (measure.of === 'property' && measure.statistic === 'sum') return 'sum';
  return COUNTS.has(measure.of) ? 'count' : 'value';
}

export type Figure = {
  /** Whole intervals, the newest last. */
  points: FigurePoint[];
  scale: Scale;
  lag: number | null;
  interval: CalendarInterval;
  timezone: string;
  dueMs: number;
};

export async function readFigure(
  ctx: Parameters<typeof answerQuestion>[0],
  saved: Question,
  watch: { figure: WatchFigure; rule: WatchRule },
): Promise<Figure> {
  const question = checkFigure(saved, watch);
  const interval = watchInterval(question);
  const lag = watch.rule.kind === 'change' ? resolveLag(question) : null;
  const timezone = await resolveTimezone(ctx, question.timezone);
  const waitMs = LATE_MS + (await convertMs(ctx, question));
  const readyMs = ctx.deps.clock().getTime() - waitMs;
  const count = lag === null ? 1 : pointsNeeded(lag);
  const bounds = calendarBoundaries(
    { fromMs: readyMs, toMs: readyMs + 1 },
    interval,
    timezone,
    count,
  );
  const iso = (index: number) => toIso(new Date(at(bounds, index)));
  const whole = bounds.length - 2;
  const span = { from: iso(0), to: iso(whole), interval };
  const values = readValues(
    await answerQuestion(ctx, toQuestion(question, watch.figure, span)),
    watch.figure,
  );
  const points = values.slice(0, whole).map((value, index) => ({
    ...{ fromMs: at(bounds, index), toMs: at(bounds, index + 1) },
    ...value,
  }));
  const scale = toScale(question);
  return { points, scale, lag, interval, timezone, dueMs: at(bounds, whole + 1) + waitMs };
}

/** Entrants of a funnel need their time to convert. */
async function convertMs({ deps, scope }: AppContext<'sql'>, question: Asked) {
  if (question.kind !== 'funnel') return 0;
  const hours = question.windowHours ?? (await windowHours(deps.sql, scope));
  return hours * HOUR_MS;
}
