import { createTextTable } from '../../event-store/read.ts';
import { instantLiteral, textList, textLiteral } from '../../storage/duckdb-literal.ts';
import { armsSql } from '../funnel/arms.ts';
import { OCCURRED_US } from '../reading/duckdb/buckets.ts';
import { firstSql, ORDER_COLUMNS } from '../reading/duckdb/first-event.ts';
import { type Kept, personRows } from '../reading/duckdb/person-rows.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import { peoplePage } from '../reading/people-page.ts';
import type { QueryRun } from '../reading/run.ts';
import type { Events } from '../reading/source/events.ts';
import { whereSql } from '../selection/condition-sql.ts';
import { IS_DEVICE, ROW_COLUMNS } from '../selection/member-sql.ts';
import type { PeopleAnswer } from '../selection/people-page.ts';
import type { SegmentClause, SegmentRules } from '../selection/segment-rules.ts';
import type { SegmentQuestion } from './model.ts';
import { allClauses } from './needs.ts';

function countedBeforeSql(clause: SegmentClause, place: number): string[] {
  if (clause.kind !== 'did') return [];
  const { withinUs } = clause;
  const condition = countedSql(withinUs === undefined ? clause : { ...clause, fromUs: null });
  const preceding = withinUs ?? 'UNBOUNDED';
  return [
    `count(*) FILTER (WHERE ${condition}) OVER (PARTITION BY person ORDER BY us
      RANGE BETWEEN ${preceding} PRECEDING AND 1 PRECEDING) AS ${counted(place)}`,
  ];
}

function heldAtSql(clause: SegmentClause, place: number): string {
  if (clause.kind !== 'firstSeen' || clause.withinUs === undefined) return clauseSql(clause, place);
  const { beforeUs, withinUs } = clause;
  const absolute = clauseSql({ kind: 'firstSeen', fromUs: null, beforeUs }, place);
  return `epoch_us(first) >= us - ${withinUs} AND ${absolute}`;
}

export function momentsSql(events: Events, rules: SegmentRules): string {
  const clauses = allClauses(rules);
  const columns = [...new Set([...ROW_COLUMNS, 'occurred_at', ...clauseColumns(clauses)])];
  const rows = `SELECT *, ${OCCURRED_US} AS us FROM ${eventRelation(events, columns, 'key')}`;
  const first = 'min(occurred_at) OVER (PARTITION BY person) AS first';
  const known = [first, ...clauses.flatMap(countedBeforeSql)].join(', ');
  const held = heldSql(`SELECT *, ${known} FROM (${rows})`, rules, heldAtSql);
  return `SELECT DISTINCT person_key, ${IS_DEVICE} AS is_device, occurred_at FROM ${held}`;
}

export async function segmentPeople(
  run: QueryRun,
  question: SegmentQuestion,
): Promise<PeopleAnswer> {
  return peoplePage(run, await membersSql(run, question), 'true', question);
}

type Of<K extends SegmentClause['kind']> = Extract<SegmentClause, { kind: K }>;

/** The events that a clause counts, among those of the question. */
export function countedSql({ names, where, fromUs, beforeUs }: Omit<Of<'did'>, 'kind'>): string {
  const conditions = [
    ...(names ? [`name IN (${textList(names)})`] : []),
    ...(where ? [whereSql(where).condition] : []),
    ...(fromUs === null ? [] : [`occurred_at >= ${instantLiteral(fromUs)}`]),
    ...(beforeUs === undefined ? [] : [`occurred_at < ${instantLiteral(beforeUs)}`]),
  ];
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

export const counted = (place: number) => `n${place}`;
const held = (rule: number) => `in_rule_${rule}`;
const tableName = (place: number) => `segment_people_${place}`;

function toKept(clauses: readonly SegmentClause[]): Kept[] {
  const kept = clauses.flatMap((clause, place): Kept[] => {
    const name = counted(place);
    if (clause.kind === 'did') {
      return [{ name, aggregate: `count(*) FILTER (WHERE ${countedSql(clause)})`, merge: 'sum' }];
    }
    if (clause.kind !== 'first') return [];
    const holds = `coalesce(${whereSql(clause.where).condition}, false)`;
    return [{ name, aggregate: firstSql(holds), merge: 'min' }];
  });
  if (!clauses.some(({ kind }) => kind === 'firstSeen')) return kept;
  return [...kept, { name: 'first', aggregate: 'min(occurred_at)', merge: 'min' }];
}

export const clauseColumns = (clauses: readonly SegmentClause[]): string[] =>
  clauses.flatMap((clause) => {
    if (clause.kind === 'firstSeen') return ['occurred_at'];
    if (clause.kind === 'first') return [...ORDER_COLUMNS, ...whereSql(clause.where).columns];
    if (clause.kind !== 'did') return [];
    return ['name', 'occurred_at', ...(clause.where ? whereSql(clause.where).columns : [])];
  });

type Read = Events & Pick<QueryRun, 'connection'>;

async function loadPeople(run: Read, clauses: readonly SegmentClause[], beforeUs: number) {
  const { connection, source } = run;
  for (const [place, clause] of clauses.entries()) {
    if (clause.kind === 'arm') {
      const arms = armsSql(source, clause, beforeUs);
      const isIn = `seen = 1 AND NOT overridden AND arm = ${textLiteral(clause.armId)}`;
      await connection.run(
        `CREATE OR REPLACE TEMP TABLE ${tableName(place)} AS SELECT person FROM (${arms}) WHERE ${isIn}`,
      );
    }
    if (clause.kind === 'listed') {
      const columns = { person: (person: string) => person };
      await createTextTable(connection, tableName(place), columns, clause.people);
    }
  }
}

type ClauseSql = (clause: SegmentClause, place: number) => string;

export const clauseSql: ClauseSql = (clause, place) => {
  switch (clause.kind) {
    case 'did': {
      const least = `${counted(place)} >= ${clause.least}`;
      return clause.most === null ? least : `${least} AND ${counted(place)} <= ${clause.most}`;
    }
    case 'firstSeen': {
      const { fromUs, beforeUs } = clause;
      const from = fromUs === null ? [] : [`first >= ${instantLiteral(fromUs)}`];
      const before = beforeUs === null ? [] : [`first < ${instantLiteral(beforeUs)}`];
      return [...from, ...before].join(' AND ') || 'true';
    }
    case 'first':
      return `${counted(place)}.value`;
    case 'arm':
    case 'listed':
      return `person ${clause.is ? '' : 'NOT '}IN (SELECT person FROM ${tableName(place)})`;
    case 'rule':
      return `${clause.is ? '' : 'NOT '}${held(clause.rule)}`;
  }
};

/** A layer of SQL a rule, as several others may name it. */
export function heldSql(rows: string, rules: SegmentRules, sqlOf: ClauseSql): string {
  let place = 0;
  const layers = rules.reduce((inner, { match, clauses }, rule) => {
    const each = clauses.map((clause) => `(${sqlOf(clause, place++)})`);
    return `(SELECT *, ${each.join(match === 'all' ? ' AND ' : ' OR ')} AS ${held(rule)} FROM ${inner})`;
  }, `(${rows})`);
  return `${layers} WHERE ${held(rules.length - 1)}`;
}

export async function membersSql(
  run: Read,
  { rules, beforeUs }: { rules: SegmentRules; beforeUs: number },
): Promise<string> {
  const clauses = allClauses(rules);
  await loadPeople(run, clauses, beforeUs);
  const people = personRows(run, clauseColumns(clauses), toKept(clauses), { as: 'id' });
  return `SELECT person FROM ${heldSql(people, rules, clauseSql)}`;
}
