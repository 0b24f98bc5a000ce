import type { Conditions } from '../../query/selection/conditions.ts';
import { must } from '../../shared/assert.ts';
import { invalidInput } from '../../shared/errors.ts';
import type { NamedMember } from '../segments/index.ts';
import type { Answer } from './answer.model.ts';
import { answerFunnel } from './funnel.ts';
import type { FunnelQuestion, Question, RetentionQuestion, SeriesQuestion } from './model.ts';
import { answerRetention } from './retention.ts';
import type { OfSegment } from './segments.model.ts';
import { answerSeries } from './series.ts';

const toLines = (segments: readonly string[]): OfSegment[] =>
  segments.flatMap((segment) =>
    segments.length === 1
      ? [
          { segment, is: true },
          { segment, is: false },
        ]
      : [{ segment, is: true }],
  );

export const segmentsApart = (question: Question, place = ''): NamedMember[] =>
  'segments' in question
    ? (question.segments ?? []).map((segment, index) => ({
        place: `${place}segments[${index}]`,
        condition: { segment, is: true },
      }))
    : [];

type Item = Extract<Conditions, { all: unknown }>['all'][number];

/** One level of nesting is all there is, so that a group of any takes the condition into each part. */
function whereIn(where: Conditions | undefined, line: OfSegment): Conditions {
  if (where === undefined) return { all: [line] };
  if ('all' in where) return { all: [...where.all, line] };
  const single = where.any.flatMap((item) => ('all' in item || 'any' in item ? [] : [item]));
  if (single.length === where.any.length) return { all: [{ any: single }, line] };
  return {
    any: where.any.flatMap((item: Item): Item[] => {
      if ('all' in item) return [{ all: [...item.all, line] }];
      if ('any' in item) return item.any.map((one) => ({ all: [one, line] }));
      return [{ all: [item, line] }];
    }),
  };
}

type Asking = Parameters<typeof answerSeries>[0] & Parameters<typeof answerFunnel>[0];

const lineKey = ({ segment, is }: OfSegment): string => (is ? segment : `not ${segment}`);

async function seriesBySegments(
  ctx: Asking,
  { segments = [], ...question }: SeriesQuestion,
): Promise<Answer> {
  const [selection, ...others] = question.series;
  if (!selection || others.length > 0) throw invalidInput('segments', 'needs one series');
  const lines = toLines(segments);
  const series = lines.map((line) => ({ ...selection, where: whereIn(selection.where, line) }));
  const answer = await answerSeries(ctx, { ...question, series: [...series, selection] });
  return {
    ...answer,
    series: lines.map((line, index) => ({
      ...must(answer.series[index], 'each line is a series'),
      key: lineKey(line),
    })),
  };
}

async function funnelBySegments(
  ctx: Asking,
  { segments = [], ...question }: FunnelQuestion,
): Promise<Answer> {
  const answer = await answerFunnel(ctx, question);
  const { interval: _, distribution: _d, ...asked } = question;
  const found = await Promise.all(
    toLines(segments).map(async (line) => {
      const where = whereIn(question.where, line);
      const { people, verdict, steps, overall } = await answerFunnel(ctx, { ...asked, where });
      return { ...line, people, verdict, steps, overall };
    }),
  );
  return { ...answer, segments: found };
}

async function retentionBySegments(
  ctx: Asking,
  { segments = [], start = {}, ...question }: RetentionQuestion,
): Promise<Answer> {
  const answer = await answerRetention(ctx, { ...question, start });
  const found = await Promise.all(
    toLines(segments).map(async (line) => {
      const selection = { ...start, where: whereIn(start.where, line) };
      const own = await answerRetention(ctx, { ...question, start: selection });
      const { people, verdict, cohorts, mean } = own;
      return { ...line, people, verdict, cohorts, mean };
    }),
  );
  return { ...answer, segments: found };
}

export function answerBySegments(ctx: Asking, question: Question): Promise<Answer> | null {
  if (!('segments' in question) || question.segments === undefined) return null;
  if ('breakdown' in question && question.breakdown !== undefined) {
    throw invalidInput('segments', 'has no breakdown beside it');
  }
  if (question.kind === 'series') return seriesBySegments(ctx, question);
  if (question.kind === 'funnel') return funnelBySegments(ctx, question);
  return retentionBySegments(ctx, question);
}
