import { OCCURRED_US } from '../reading/duckdb/buckets.ts';
import { eventRelation } from '../reading/duckdb/relation.ts';
import type { Events } from '../reading/source/events.ts';
import { IS_DEVICE, ROW_COLUMNS } from '../selection/member-sql.ts';
import type { SegmentClause, SegmentRules } from '../selection/segment-rules.ts';
import { clauseSql, clauseColumns, counted, countedSql, heldSql } from './members.ts';
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
