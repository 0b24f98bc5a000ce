import type {
  Conditions,
  EventSelection,
  FigureOfAnswer,
  Question,
  SegmentClause,
  SegmentRule,
} from '../../../clients/api/src/index.ts';
import type { segmentOfPeople } from '../texts/segment-of-people.ts';
import { either, boolean, type Check, number, literal, optional, shape, text } from './checks.ts';
import { isFirst, MAX_CLAUSES } from './conditions.ts';
import { addDays, addMonths, dayOf, isDay } from './days.ts';

export type Behind = { question: Question; figure: FigureOfAnswer };
type Why = keyof (typeof segmentOfPeople)['whyNot'];
export type Saved = { rule: SegmentRule } | { why: Why };

type Asked<K extends Question['kind']> = Extract<Question, { kind: K }>;
type Figure<K extends FigureOfAnswer['of']> = Extract<FigureOfAnswer, { of: K }>;
type Found = SegmentClause[] | Why;

type Item = Conditions extends { all: (infer T)[] } | { any: unknown } ? T : never;

const isOfEvents = (item: Item): boolean => {
  if ('field' in item) return !isFirst(item.field) && item.field !== 'arm';
  return !('segment' in item) && ('all' in item ? item.all : item.any).every(isOfEvents);
};

type Meant = { events: EventSelection; members: SegmentClause[] };

/** Segments are clauses of their own, of which all must hold. */
function meantBy({ where, ...named }: EventSelection = {}): Meant | undefined {
  if (where && 'any' in where) {
    return where.any.every(isOfEvents) ? { events: { ...named, where }, members: [] } : undefined;
  }
  const members: SegmentClause[] = [];
  const others: Item[] = [];
  for (const item of where?.all ?? []) {
    if ('segment' in item && item.asOf !== 'event') {
      members.push({ segment: item.segment, is: item.is });
    } else if (isOfEvents(item)) others.push(item);
    else return undefined;
  }
  const events = { ...named, ...(others.length > 0 && { where: { all: others } }) };
  return { events, members };
}

type Interval = 'hour' | 'day' | 'week' | 'month';
type Whole = Exclude<Interval, 'hour'>;
const WEEK = 7;

function beginningOf(day: string, interval: Whole): string {
  if (interval === 'day') return day;
  if (interval === 'month') return addMonths(day, 0);
  return addDays(day, -((new Date(day).getUTCDay() + WEEK - 1) % WEEK));
}

function shifted(start: string, interval: Whole, count: number): string {
  if (interval !== 'month') return addDays(start, interval === 'week' ? count * WEEK : count);
  return addMonths(start, count);
}

const spanAt = (start: string, interval: Whole, place: number) => ({
  since: shifted(start, interval, place),
  before: shifted(start, interval, place + 1),
});

function ofPoint(
  selection: EventSelection | undefined,
  { interval = 'day' }: { interval?: Interval },
  start: string,
  clausesOf: (meant: EventSelection, span: (place: number) => ReturnType<typeof spanAt>) => Found,
): Found {
  if (interval === 'hour') return 'hours';
  const meant = meantBy(selection);
  if (!meant) return 'conditions';
  const found = clausesOf(meant.events, (place) => spanAt(start, interval, place));
  return typeof found === 'string' ? found : [...found, ...meant.members];
}

function ofState(question: Asked<'lifecycle'>, state: Figure<'state'>['state'], start: string) {
  return ofPoint(question.selection, question, start, (events, span) => {
    const [here, last] = [span(0), span(-1)];
    switch (state) {
      case 'new':
        return [
          { did: events, ...here },
          { didNot: events, before: here.since },
        ];
      case 'returning':
        return [
          { did: events, ...here },
          { did: events, ...last },
        ];
      case 'resurrected':
        return [
          { did: events, ...here },
          { didNot: events, ...last },
          { did: events, before: last.since },
        ];
      case 'dormant':
        return [
          { did: events, ...last },
          { didNot: events, ...here },
        ];
    }
  });
}

function ofCohort(
  question: Asked<'retention'>,
  { cohortIndex, period = 0 }: Figure<'cohort'>,
): Found {
  const { from = '', interval = 'week', cohort = 'first', criterion = 'on', clock } = question;
  if (!isDay(from)) return 'days';
  if (period > 0 && clock === 'hours') return 'clock';
  const [start, back] = [meantBy(question.start), meantBy(question.return)];
  if (!start || !back) return 'conditions';
  const first = beginningOf(from, interval);
  const began = spanAt(first, interval, cohortIndex);
  const came = spanAt(first, interval, cohortIndex + period);
  const when = criterion === 'on' ? came : { since: came.since };
  return [
    { did: start.events, ...began },
    ...(cohort === 'first' ? [{ didNot: start.events, before: began.since }] : []),
    ...(period > 0 ? [{ did: back.events, ...when }, ...back.members] : []),
    ...start.members,
  ];
}

/** Later steps come in an order and in time, which no clause knows. */
function ofStep(
  { steps, where, order, people, from = '', to = '' }: Asked<'funnel'>,
  { step, dropped }: Figure<'step'>,
): Found {
  if (step > 1 || dropped || order === 'any') return 'order';
  if (!isDay(from) || !isDay(to)) return 'days';
  const [first, entry] = [meantBy(steps[0]), meantBy({ ...(where && { where }) })];
  // Conditions of the funnel are read on one of the person's first steps alone.
  if (!first || !entry || entry.events.where) return 'conditions';
  return [
    { did: first.events, since: from, before: addDays(to, 1) },
    ...(people === 'new' ? [{ firstSeen: { after: from } }] : []),
    ...first.members,
    ...entry.members,
  ];
}

function clausesOf({ question, figure }: Behind, timezone: string): Found {
  const startOf = ({ point }: { point: string }) => dayOf(Date.parse(point), timezone);
  if (question.kind === 'funnel' && figure.of === 'step') return ofStep(question, figure);
  if (question.kind === 'retention' && figure.of === 'cohort') return ofCohort(question, figure);
  if (question.kind === 'lifecycle' && figure.of === 'state') {
    return ofState(question, figure.state, startOf(figure));
  }
  if ((question.kind !== 'series' && question.kind !== 'measures') || figure.of !== 'point') {
    return 'order';
  }
  const { series = 1 } = figure;
  const selection = question.kind === 'series' ? question.series[series - 1] : question.selection;
  return ofPoint(selection, question, startOf(figure), (events, span) => [
    { did: events, ...span(0) },
  ]);
}

const isDated: Check = (value) => text(value) && !Number.isNaN(Date.parse(String(value)));
const isFigure = either(
  shape({ of: literal('point'), series: optional(number), point: isDated }),
  shape({ of: literal('step'), step: number, dropped: optional(boolean) }),
  shape({ of: literal('cohort'), cohortIndex: number, period: optional(number) }),
  shape({ of: literal('state'), point: isDated, state: text }),
);

export function ruleOfPeople(behind: Behind, timezone: string): Saved {
  if (!isFigure(behind.figure)) return { why: 'order' };
  const { environment = 'production' } = behind.question;
  if (environment !== 'production') return { why: 'environment' };
  const found = clausesOf(behind, timezone);
  if (typeof found === 'string') return { why: found };
  return found.length > MAX_CLAUSES ? { why: 'conditions' } : { rule: { all: found } };
}

export const ruleAddress = (appId: string, rule: SegmentRule): string =>
  `/apps/${appId}/segments/new?${new URLSearchParams({ rule: JSON.stringify(rule) })}`;
