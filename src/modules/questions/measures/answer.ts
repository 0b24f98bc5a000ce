import type { AppContext } from '../../../context.ts';
import * as measures from '../../../query/measures/model.ts';
import type { BrokenDown } from '../../../query/selection/dimension.ts';
import { provenanceOf } from '../../../query/selection/provenance.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import { NOTHING_TO_COMPARE } from '../../events/index.ts';
import { toDimensions } from '../resolve/breakdown.ts';
import { ask, ofSelection, type Resolved } from '../resolve/resolved.ts';
import { resolveBuckets, toMicros } from '../resolve/window.ts';
import { isComparable } from '../series/answer.ts';
import { shownWindow, toLayout, toRanges, toSeriesName } from '../series/present.ts';
import type { MeasuredSeries, MeasuresQuestionAnswer } from './answer.model.ts';
import { measuredFigures } from './present.ts';
import type { MeasuresQuestion } from './question.ts';

async function measure(
  ctx: AppContext<'queries' | 'sql'>,
  resolved: Resolved<MeasuresQuestion>,
  measure: measures.Measure,
): Promise<{ brokenDown: BrokenDown | undefined; measured: MeasuredSeries }> {
  const { question, timezone, environment, now } = resolved;
  const { selection = {}, interval = 'day', compare = true } = question;
  const [by] = toDimensions(resolved);
  const buckets = resolveBuckets(resolved, { compare });
  const layout = toLayout(buckets, compare, false);
  const asked = ask(ctx, 'measures', {
    ...{ ...ofSelection(ctx, resolved, selection), measure },
    ...(by && { breakdown: by.by, valuesFrom: buckets.first }),
    boundariesUs: toMicros(buckets.boundariesMs),
    ranges: toRanges(layout),
  });
  const [answer, isCompared] = await Promise.all([asked, isComparable(ctx, layout, resolved)]);
  const figuresOf = (measured: measures.MeasuresAnswer['measured']) => {
    const { totals, points } = measuredFigures({ measured }, measure, layout);
    return { totals: isCompared ? totals : { ...totals, change: null }, points };
  };
  const { series, brokenDown } = answer;
  const named = series?.map(({ value, measured }) => {
    const { key, ...rest } = toSeriesName(value);
    return { key: by?.nameOf(key) ?? key, ...rest, ...figuresOf(measured) };
  });
  return {
    brokenDown,
    measured: {
      window: shownWindow(layout),
      ...{ interval, timezone, environment, minimumPeople: MINIMUM_PEOPLE },
      ...figuresOf(answer.measured),
      relativeError: answer.relativeError === null ? null : measures.RELATIVE_ERROR,
      computedAt: now.toISOString(),
      ...provenanceOf(answer),
      ...(!isCompared && { notice: NOTHING_TO_COMPARE }),
      ...(named && { series: named }),
    },
  };
}

/** One measure after the other, so that a question takes one place in the queue. */
export async function answerMeasures(
  ctx: AppContext<'queries' | 'sql'>,
  resolved: Resolved<MeasuresQuestion>,
): Promise<MeasuresQuestionAnswer> {
  const { kind, measure: first, others: more = [] } = resolved.question;
  const { measured, brokenDown } = await measure(ctx, resolved, first);
  const others = [];
  for (const other of more) {
    const { totals, points, series, relativeError } = (await measure(ctx, resolved, other))
      .measured;
    others.push({ measure: other, totals, points, relativeError, ...(series && { series }) });
  }
  return {
    ...{ kind, measure: first, ...measured },
    ...(brokenDown && { breakdown: [brokenDown] }),
    ...(others.length > 0 && { others }),
  };
}
