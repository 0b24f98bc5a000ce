import type { AppContext } from '../../context.ts';
import { MAX_PAGE_OF_SEGMENT, type SegmentQuestion } from '../../query/segment/model.ts';
import { provenanceOf } from '../../query/selection/provenance.ts';
import { csvCell } from '../../shared/csv.ts';
import { cursorAfter, decodeCursor } from '../../shared/person-cursor.ts';
import { toIso } from '../../shared/time.ts';
import * as model from './model.ts';
import { selectSegments } from './queries.ts';
import { type ResolveContext, segmentQuestion } from './resolve.ts';
import { checkStoredRule, readSegment } from './segments.ts';

type CountContext = ResolveContext & AppContext<'queries'>;

const askPeople = ({ deps, signal }: AppContext<'queries'>, question: SegmentQuestion) =>
  deps.queries.ask('segment', question, { signal });

const toPeople = (people: readonly string[]) => people.map((personId) => ({ personId }));

const times = (nowMs: number, answer: Parameters<typeof provenanceOf>[0]) => ({
  asOf: toIso(new Date(nowMs)),
  ...provenanceOf(answer),
});

export async function countSegment(
  ctx: CountContext,
  { segmentId, query }: { segmentId: string; query: model.SegmentCountQuery },
): Promise<model.SegmentCount> {
  const { rule } = await readSegment(ctx, { segmentId });
  const { nowMs, question } = await segmentQuestion(ctx, rule, query.environment);
  const answer = await askPeople(ctx, { ...question, after: null, limit: 0 });
  return { people: answer.total, ...times(nowMs, answer) };
}

/** Each page is as of its own time. */
export async function listSegmentPeople(
  ctx: CountContext,
  { segmentId, query }: { segmentId: string; query: model.SegmentPeopleQuery },
): Promise<model.PeopleOfSegment> {
  const after = decodeCursor(query.cursor);
  const { rule } = await readSegment(ctx, { segmentId });
  const { question } = await segmentQuestion(ctx, rule, query.environment);
  const limit = query.limit ?? model.DEFAULT_PAGE;
  const { people, total, hasMore } = await askPeople(ctx, { ...question, after, limit });
  return {
    people: toPeople(people),
    total,
    nextCursor: cursorAfter(people.at(-1), hasMore),
  };
}

export async function segmentCsv(
  ctx: CountContext,
  { segmentId, query }: { segmentId: string; query: model.SegmentCountQuery },
): Promise<string> {
  const { rule } = await readSegment(ctx, { segmentId });
  const { question } = await segmentQuestion(ctx, rule, query.environment);
  const lines = ['personId'];
  for (let after: string | null = null, hasMore = true; hasMore; ) {
    const page = await askPeople(ctx, { ...question, after, limit: MAX_PAGE_OF_SEGMENT });
    for (const person of page.people) lines.push(csvCell(person));
    after = page.people.at(-1) ?? null;
    hasMore = page.hasMore;
  }
  return `${lines.join('\r\n')}\r\n`;
}

export async function previewSegment(
  ctx: CountContext,
  { rule, environment }: model.PreviewSegmentBody,
): Promise<model.SegmentPreview> {
  const { deps, scope } = ctx;
  const segments = await selectSegments(deps.sql, scope);
  await checkStoredRule(deps.sql, scope, { id: null, rule }, segments);
  const { nowMs, question } = await segmentQuestion(ctx, rule, environment);
  const { total, people, ...answer } = await askPeople(ctx, {
    ...question,
    after: null,
    limit: model.SAMPLE,
  });
  return { people: total, ...times(nowMs, answer), sample: toPeople(people) };
}
