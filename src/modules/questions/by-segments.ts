import type { AppContext } from '../../context.ts';
import type { Conditions } from '../../query/selection/conditions.ts';
import { must } from '../../shared/assert.ts';
import { invalidInput } from '../../shared/errors.ts';
import type { Answer } from './answer.model.ts';
import { answerFunnel } from './funnel/answer.ts';
import type { FunnelQuestion } from './funnel/question.ts';
import type { Question } from './model.ts';
import type { Resolved } from './resolve/resolved.ts';
import type { OfSegment } from './resolve/segments.model.ts';
import { answerRetention } from './retention/answer.ts';
import type { RetentionQuestion } from './retention/question.ts';
import { answerSeries } from './series/answer.ts';
import type { SeriesQuestion } from './series/question.ts';

const toLines = (segments: readonly string[]): OfSegment[] =>
  segments.flatMap((segment) =>
    segments.length === 1
      ? [
          { segment, is: true },
          { segment, is: false },
        ]
      : [{ segment, is: true }],
  );

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

type Asking = AppContext<'queries' | 'sql'>;

const lineKey = ({ segment, is }: OfSegment): string => (is ? segment : `not ${segment}`);

async function seriesBySegments(
  ctx: Asking,
  resolved: Resolved<SeriesQuestion>,
  lines: readonly OfSegment[],
): Promise<Answer> {
  const { question } = resolved;
  const [selection, ...others] = question.series;
  if (!selection || others.length > 0) throw invalidInput('segments', 'needs one series');
  const series = lines.map((line) => ({ ...selection, where: whereIn(selection.where, line) }));
  const all = { ...question, series: [...series, selection] };
  const answer = await answerSeries(ctx, { ...resolved, question: all });
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
  resolved: Resolved<FunnelQuestion>,
  lines: readonly OfSegment[],
): Promise<Answer> {
  const answer = await answerFunnel(ctx, resolved);
  const { interval: _, distribution: _d, ...asked } = resolved.question;
  const found = lines.map(async (line) => {
    const question = { ...asked, where: whereIn(asked.where, line) };
    const { people, verdict, steps, overall } = await answerFunnel(ctx, { ...resolved, question });
    return { ...line, people, verdict, steps, overall };
  });
  return { ...answer, segments: await Promise.all(found) };
}

async function retentionBySegments(
  ctx: Asking,
  resolved: Resolved<RetentionQuestion>,
  lines: readonly OfSegment[],
): Promise<Answer> {
  const answer = await answerRetention(ctx, resolved);
  const { start = {} } = resolved.question;
  const found = lines.map(async (line) => {
    const own = { ...start, where: whereIn(start.where, line) };
    const question = { ...resolved.question, start: own };
    const { people, verdict, cohorts, mean } = await answerRetention(ctx, {
      ...{ ...resolved, question },
    });
    return { ...line, people, verdict, cohorts, mean };
  });
  return { ...answer, segments: await Promise.all(found) };
}

export function answerBySegments(
  ctx: Asking,
  resolved: Resolved<Question>,
): Promise<Answer> | null {
  const { question } = resolved;
  if (!('segments' in question) || question.segments === undefined) return null;
  if ('breakdown' in question && question.breakdown !== undefined) {
    throw invalidInput('segments', 'has no breakdown beside it');
  }
  const lines = toLines(question.segments);
  switch (question.kind) {
    case 'series':
      return seriesBySegments(ctx, { ...resolved, question }, lines);
    case 'funnel':
      return funnelBySegments(ctx, { ...resolved, question }, lines);
    case 'retention':
      return retentionBySegments(ctx, { ...resolved, question }, lines);
  }
}
