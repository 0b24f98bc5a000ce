import { at, onlyRow } from '../../shared/assert.ts';
import { instantLiteral, textList } from '../../storage/duckdb-literal.ts';
import { inSession, sessionEvents } from '../reading/duckdb/sessions.ts';
import type { QueryRun } from '../reading/run.ts';
import type { Events } from '../reading/source/events.ts';
import { PATH_STEPS, type PathNode, type PathsAnswer, type PathsQuestion } from './model.ts';

const STEPS = Array.from({ length: PATH_STEPS }, (_, index) => index + 1);

/** Null where the session ends. */
function pathRowsSql(events: Events, question: PathsQuestion): string {
  const { direction, fromUs, beforeUs } = question;
  const beside = direction === 'after' ? 'lead' : 'lag';
  const steps = STEPS.map((step) => `, ${beside}(name, ${step}) OVER session AS s${step}`).join('');
  return `SELECT person${STEPS.map((step) => `, s${step}`).join('')} FROM (
      SELECT person, is_meant, occurred_at,
        row_number() OVER (${inSession('is_meant')}) AS nth${steps}
      FROM ${sessionEvents(events, question)}
      WINDOW session AS (${inSession()}))
    WHERE is_meant AND nth = 1
      AND occurred_at >= ${instantLiteral(fromUs)} AND occurred_at < ${instantLiteral(beforeUs)}`;
}

const ROWS = 'path_rows';
const [END, REST] = [-1, 0];

async function mostFrequent(
  { connection }: QueryRun,
  step: number,
  { shown }: PathsQuestion,
): Promise<string[]> {
  const result = await connection.run(
    `SELECT s${step} FROM ${ROWS} WHERE s${step} IS NOT NULL
      GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${shown}`,
  );
  return (await result.getRows()).map(([name]) => String(name));
}

/** Null where the step before was the end already. */
function codeSql(step: number, names: readonly string[]): string {
  const place =
    names.length === 0 ? REST : `coalesce(list_position([${textList(names)}], s${step}), ${REST})`;
  const code = `CASE WHEN s${step} IS NULL THEN ${END} ELSE ${place} END`;
  return step === 1 ? code : `CASE WHEN s${step - 1} IS NOT NULL THEN ${code} END`;
}

type Counted = { from: number; to: number; sessions: number; people: number };

async function countBy({ connection }: QueryRun, from: string, to: string): Promise<Counted[]> {
  const result = await connection.run(
    `SELECT ${from}, ${to}, count(*), count(DISTINCT person) FROM ${ROWS}
      WHERE ${to} IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  return (await result.getRows()).map((row) => {
    const [from = 0, to = 0, sessions = 0, people = 0] = row.map(Number);
    return { from, to, sessions, people };
  });
}

function toNode({ to, sessions, people }: Counted, names: readonly string[]): PathNode {
  const counts = { sessions, people };
  if (to === END) return { kind: 'end', name: null, ...counts };
  if (to === REST) return { kind: 'rest', name: null, ...counts };
  return { kind: 'event', name: at(names, to - 1), ...counts };
}

const inOrder = (counted: readonly Counted[]): Counted[] => [
  ...counted.filter(({ to }) => to > REST),
  ...counted.filter(({ to }) => to === REST),
  ...counted.filter(({ to }) => to === END),
];

export async function countPaths(run: QueryRun, question: PathsQuestion): Promise<PathsAnswer> {
  const { connection, source } = run;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${ROWS} AS ${pathRowsSql(run, question)}`);
  const all = await connection.run(`SELECT count(*), count(DISTINCT person) FROM ${ROWS}`);
  const [sessions = 0, people = 0] = onlyRow(await all.getRows()).map(Number);
  const steps: PathsAnswer['steps'] = [];
  let earlier: { code: string; places: readonly number[] } | null = null;
  for (const step of STEPS) {
    const names = await mostFrequent(run, step, question);
    const code = codeSql(step, names);
    const counted = inOrder(await countBy(run, '0', code));
    const places = counted.map(({ to }) => to);
    const before: typeof earlier = earlier;
    const links = before === null ? [] : await countBy(run, before.code, code);
    steps.push({
      nodes: counted.map((one) => toNode(one, names)),
      links: links.map((link) => ({
        ...link,
        from: before?.places.indexOf(link.from) ?? 0,
        to: places.indexOf(link.to),
      })),
    });
    earlier = { code, places };
  }
  return { dataThroughMs: source.dataThroughMs, sessions, people, steps };
}
