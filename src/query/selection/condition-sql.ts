import { versionKey } from '../../shared/app-version.ts';
import { must } from '../../shared/assert.ts';
import { EVENT_FIELDS, isVersionField } from '../../shared/event-fields.ts';
import { textList, textLiteral } from '../../storage/duckdb-literal.ts';
import { wantedValue } from './condition-match.ts';
import {
  type Condition,
  type Conditions,
  type ConditionValue,
  columnField,
  listConditions,
  membersIn,
  toPropertyName,
  readItem,
} from './conditions.ts';
import { DUCKDB, type SqlDialect } from './property.ts';

const COLUMNS = {
  ...EVENT_FIELDS,
  name: { column: 'name' },
  session: { column: 'session_id' },
} as const;

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const toColumn = (field: string): string =>
  toPropertyName(field) === null ? COLUMNS[columnField(field)].column : 'props';

const isText = (value: ConditionValue): value is string => typeof value === 'string';

function orderSql(field: string, bound: string | number, sql: SqlDialect) {
  const prop = toPropertyName(field);
  if (typeof bound === 'number') {
    const literal = sql.numberLiteral(bound);
    return { value: sql.number(must(prop, 'only properties are numbers')), literal };
  }
  if (prop !== null) return { value: sql.string(prop), literal: textLiteral(bound) };
  const column = toColumn(field);
  if (!isVersionField(field)) {
    return { value: column, literal: textLiteral(wantedValue(field, bound)) };
  }
  const key = must(versionKey(bound), 'no other text passes the check');
  return { value: sql.versionKey(column), literal: textLiteral(key) };
}

function equalsSql(field: string, values: readonly ConditionValue[], sql: SqlDialect): string {
  const prop = toPropertyName(field);
  if (prop !== null) return sql.isOneOf(prop, values);
  const wanted = values.map((value) => wantedValue(field, value)).filter(isText);
  return wanted.length === 0 ? 'false' : `${toColumn(field)} IN (${textList(wanted)})`;
}

function conditionSql(condition: Condition, sql: SqlDialect): string {
  const { field } = condition;
  const prop = toPropertyName(field);
  const text = () => (prop === null ? toColumn(field) : sql.string(prop));
  const isSet = () => (prop === null ? `${toColumn(field)} IS NOT NULL` : sql.isSet(prop));
  const compared = (sign: string, bound: string | number) => {
    const { value, literal } = orderSql(field, bound, sql);
    return `${value} ${sign} ${literal}`;
  };
  switch (condition.op) {
    case 'is':
      return equalsSql(field, [condition.value], sql);
    case 'isNot':
      return `NOT coalesce(${equalsSql(field, [condition.value], sql)}, false)`;
    case 'isOneOf':
      return equalsSql(field, condition.values, sql);
    case 'contains':
      return sql.contains(text(), textLiteral(wantedValue(field, condition.value)));
    case 'beginsWith':
      return `starts_with(${text()}, ${textLiteral(wantedValue(field, condition.value))})`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return compared(SIGNS[condition.op], condition.value);
    case 'between':
      return `${compared('>=', condition.from)} AND ${compared('<=', condition.to)}`;
    case 'isSet':
      return isSet();
    case 'isNotSet':
      return `NOT coalesce(${isSet()}, false)`;
  }
}

/** Conditions as SQL with the columns they read; null is no match. */
export function whereSql(
  where: Conditions,
  sql: SqlDialect = DUCKDB,
): { columns: string[]; condition: string } {
  const joined = (word: string) => (parts: string[]) => `(${parts.join(` ${word} `)})`;
  const columns = [
    ...listConditions(where).map(({ field }) => toColumn(field)),
    ...membersIn(where).flatMap((condition) => sql.member(condition).columns),
  ];
  return {
    columns: [...new Set(columns)],
    condition: readItem<string>(where, {
      one: (condition) => `(${conditionSql(condition, sql)})`,
      member: (condition) => `(${sql.member(condition).condition})`,
      all: joined('AND'),
      any: joined('OR'),
    }),
  };
}

export function allSql(
  all: readonly Conditions[],
  sql: SqlDialect = DUCKDB,
): { columns: string[]; condition: string | null } {
  const found = all.map((where) => whereSql(where, sql));
  return {
    columns: found.flatMap(({ columns }) => columns),
    condition: found.length === 0 ? null : found.map(({ condition }) => condition).join(' AND '),
  };
}
