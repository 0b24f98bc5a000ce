import { at } from '../../shared/assert.ts';
import { inSession, sessionEvents } from '../reading/duckdb/sessions.ts';
import type { Events } from '../reading/source/events.ts';
import { keepRows, readRows, type SqlRun } from '../reading/source/sql-rows.ts';
import { compareTexts } from '../selection/condition-match.ts';
import type { SqlDialect } from '../selection/property.ts';
import {
  MAX_PATH_NAMES,
  PATH_STEPS,
  type PathNode,
  type PathsAnswer,
  type PathsQuestion,
} from './model.ts';

const STEPS = Array.from({ length: PATH_STEPS }, (_, index) => index + 1);

/** Null where the session ends. */
function pathRowsSql(events: Events, question: PathsQuestion): string {
  const { direction, fromUs, beforeUs } = question;
  const { dialect } = events.sql;
  const beside = direction === 'after' ? 'lead' : 'lag';
  const steps = STEPS.map((step) => `, ${beside}(name, ${step}) OVER session AS s${step}`).join('');
  return `SELECT person${STEPS.map((step) => `, s${step}`).join('')} FROM (
      SELECT person, is_meant, occurred_at,
        row_number() OVER (${inSession('is_meant')}) AS nth${steps}
      FROM ${sessionEvents(events, question)}
      WINDOW session AS (${inSession()}))
    WHERE is_meant AND nth = 1
      AND occurred_at >= ${dialect.instant(fromUs)} AND occurred_at < ${dialect.instant(beforeUs)}`;
}

const [END, REST] = [-1, 0];

const EACH = STEPS.map((_, step) => [step]);
const PAIRS = STEPS.slice(1).map((_, step) => [step, step + 1]);

/** As GROUPING says it: the bits of columns left out. */
const setNumber = (steps: readonly number[]) =>
  2 ** PATH_STEPS - 1 - steps.reduce((bits, step) => bits + 2 ** (PATH_STEPS - 1 - step), 0);

type Counted = { values: unknown[]; sessions: number; people: number };

async function countSets(
  run: SqlRun,
  rows: string,
  sets: readonly number[][],
): Promise<Map<number, Counted[]>> {
  const columns = STEPS.map((step) => `s${step}`).join(', ');
  const listed = sets.map((set) => `(${set.map((step) => `s${step + 1}`).join(', ')})`).join(', ');
  const found = await readRows(
    run,
    `SELECT grouping(${columns}), count(*), count(DISTINCT person), ${columns}
      FROM ${rows} GROUP BY GROUPING SETS (${listed})`,
  );
  const counted = found.map(([set, sessions, people, ...values]) => ({
    ...{ set: Number(set), values, sessions: Number(sessions), people: Number(people) },
  }));
  return Map.groupBy(counted, ({ set }) => set);
}

/** Null where the step before was the end already. */
function codeSql(step: number, names: readonly string[], sql: SqlDialect): string {
  const place =
    names.length === 0 ? REST : `coalesce(${sql.placeAmong(names, `s${step}`)}, ${REST})`;
  const code = `CASE WHEN s${step} IS NULL THEN ${END} ELSE ${place} END`;
  return step === 1 ? code : `CASE WHEN s${step - 1} IS NOT NULL THEN ${code} END`;
}

function toNode(code: number, counts: Omit<PathNode, 'kind' | 'name'>, names: readonly string[]) {
  if (code === END) return { kind: 'end' as const, name: null, ...counts };
  if (code === REST) return { kind: 'rest' as const, name: null, ...counts };
  return { kind: 'event' as const, name: at(names, code - 1), ...counts };
}

const rank = (code: number) => (code > REST ? code : MAX_PATH_NAMES + 1 - code);

export async function countPaths(run: SqlRun, question: PathsQuestion): Promise<PathsAnswer> {
  const { dataThroughMs } = run.source;
  const rows = await keepRows(run, 'path_rows', pathRowsSql(run, question));
  const byName = await countSets(run, rows, [...EACH, []]);
  const names = EACH.map((set, step) =>
    (byName.get(setNumber(set)) ?? [])
      .flatMap(({ values, sessions }) =>
        values[step] === null ? [] : [{ name: String(values[step]), sessions }],
      )
      .toSorted((a, b) => b.sessions - a.sessions || compareTexts(a.name, b.name))
      .slice(0, question.shown)
      .map(({ name }) => name),
  );
  const codes = names.map(
    (of, step) => `${codeSql(step + 1, of, run.sql.dialect)} AS s${step + 1}`,
  );
  const coded = `(SELECT person, ${codes.join(', ')} FROM ${rows})`;
  const byCode = await countSets(run, coded, [...EACH, ...PAIRS]);
  const codesIn = (set: readonly number[]) =>
    (byCode.get(setNumber(set)) ?? []).flatMap(({ values, sessions, people }) => {
      const codes = set.map((step) => values[step]);
      return codes.includes(null) ? [] : [{ codes: codes.map(Number), sessions, people }];
    });
  const nodes = EACH.map((set) =>
    codesIn(set)
      .map(({ codes: [code = END], ...counts }) => ({ code, counts }))
      .toSorted((a, b) => rank(a.code) - rank(b.code)),
  );
  const place = (step: number, code: number) =>
    at(nodes, step).findIndex((node) => node.code === code);
  const steps = nodes.map((found, step) => ({
    nodes: found.map(({ code, counts }) => toNode(code, counts, at(names, step))),
    links: (step === 0 ? [] : codesIn([step - 1, step]))
      .toSorted((a, b) => at(a.codes, 0) - at(b.codes, 0) || at(a.codes, 1) - at(b.codes, 1))
      .map(({ codes: [from = END, to = END], ...counts }) => ({
        ...{ from: place(step - 1, from), to: place(step, to), ...counts },
      })),
  }));
  const [all = { sessions: 0, people: 0 }] = byName.get(setNumber([])) ?? [];
  return { dataThroughMs, sessions: all.sessions, people: all.people, steps };
}
