import { Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import type { RunStatement } from '../reading/lake/engine.ts';
import type { LakeSnapshot } from '../reading/lake/queries.ts';
import { lakeEvents, sinceSql } from '../reading/lake/relation.ts';
import { rowsParser } from '../reading/lake/rows.ts';
import type { SummaryAnswer, SummaryQuestion } from './model.ts';
import { morePeople, NO_PLATFORM, NO_VERSION, ranked } from './rank.ts';

const Count = Type.Integer({ minimum: 0 });
const summaryRows = rowsParser(
  Type.Tuple([
    Type.Integer(),
    Nullable(Type.String()),
    Count,
    Count,
    Nullable(Type.Integer()),
    Nullable(Type.Integer()),
  ]),
  'summary of the lake',
);

function summarySql(snapshot: LakeSnapshot, question: SummaryQuestion): string {
  const { orgId, appId, environment, fromUs, beforeUs } = question;
  const window = { orgId, appId, environment, fromUs, beforeUs };
  const events = lakeEvents({ snapshot, ...window, ofClients: true, whose: 'anybody' }, [
    'name',
    'platform',
    'app_version',
    'occurred_at',
  ]);
  return `SELECT CASE grouping(name, platform, version) WHEN 3 THEN 1 WHEN 5 THEN 2 WHEN 6 THEN 3 ELSE 0 END,
      CASE grouping(name, platform, version) WHEN 3 THEN name WHEN 5 THEN platform WHEN 6 THEN version END,
      coalesce(sum(events), 0), count(DISTINCT person), min(first), max(last)
    FROM (SELECT person, name, coalesce(platform, '${NO_PLATFORM}') AS platform,
        coalesce(app_version, '${NO_VERSION}') AS version, count(*) AS events,
        min(${sinceSql('occurred_at', fromUs)}) AS first, max(${sinceSql('occurred_at', fromUs)}) AS last
      FROM ${events} GROUP BY 1, 2, 3, 4)
    GROUP BY GROUPING SETS ((), (name), (platform), (version))`;
}

export async function lakeSummary(
  run: RunStatement,
  snapshot: LakeSnapshot,
  question: SummaryQuestion,
): Promise<SummaryAnswer> {
  const { fromUs, limit } = question;
  const rows = summaryRows(await run(summarySql(snapshot, question)));
  const peopleOf = (kind: number) =>
    new Map(rows.flatMap(([of, value, , people]) => (of === kind ? [[value, people]] : [])));
  const listed = (kind: number) => {
    const events = rows.flatMap(([of, value, count]): [string | null, number][] =>
      of === kind ? [[value, count]] : [],
    );
    const people = peopleOf(kind);
    return ranked(new Map(events), '').map((one) => ({
      ...one,
      people: people.get(one.value) ?? 0,
    }));
  };
  const byPeople = (kind: number) => listed(kind).map(({ value, people }) => ({ value, people }));
  const [, , events, people, first, last] = rows.find(([kind]) => kind === 0) ?? [
    0,
    null,
    0,
    0,
    null,
    null,
  ];
  return {
    people,
    events,
    firstAtUs: first === null ? null : fromUs + first,
    lastAtUs: last === null ? null : fromUs + last,
    names: listed(1).slice(0, limit),
    platforms: byPeople(2).toSorted(morePeople),
    versions: byPeople(3).slice(0, limit).toSorted(morePeople),
  };
}
