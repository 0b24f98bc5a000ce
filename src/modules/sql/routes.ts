import { jsonOrCsv, wantsCsv } from '../../http/csv.ts';
import { taggedRoutes } from '../../http/route.ts';
import { askSql } from './ask.ts';
import { answerCsv } from './csv.ts';
import { SqlAnswer, SqlQuestion } from './model.ts';

const ARROW = 'application/vnd.apache.arrow.stream';

const ANSWER_CONTENT = {
  ...jsonOrCsv(SqlAnswer),
  [ARROW]: { schema: { type: 'string' as const } },
};

export const sqlRoutes = taggedRoutes('SQL', '/v1/sql').post(
  '',
  async ({ ctx, body, request, set }) => {
    const answer = await askSql(ctx, body);
    set.headers.vary = 'accept';
    const isArrow = request.headers.get('accept')?.includes(ARROW);
    if (!isArrow && !wantsCsv(request)) return answer;
    if (answer.cutBy !== null) set.headers['x-cut-by'] = answer.cutBy;
    if (isArrow) {
      const { answerArrow } = await import('./arrow.ts');
      set.headers['content-type'] = ARROW;
      return new Response(answerArrow(answer));
    }
    set.headers['content-type'] = 'text/csv; charset=utf-8';
    return new Response(answerCsv(answer));
  },
  {
    forOrganization: { permission: 'sql:ask', cutsAnswers: true },
    body: SqlQuestion,
    detail: {
      'x-asks': 'question',
      operationId: 'askSql',
      summary:
        'Ask one SELECT over the data of the organization; with Accept: text/csv as CSV, with Arrow’s as its stream',
      description:
        'Views: events, people, exposures, sales, purchases, subscriptions, entitlements, apps (docs/data-dictionary.md). One SELECT, 30 seconds, 10,000 rows and 8 MB of answer; `cutBy` says when a bound cut it, `x-cut-by` of CSV and Arrow (`application/vnd.apache.arrow.stream`). Each question has a process of its own without network or secrets; where the kernel cannot isolate it, 503.',
      responses: { 200: { description: 'The answer.', content: ANSWER_CONTENT } },
    },
  },
);
