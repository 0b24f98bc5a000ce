import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf, parser } from '../../shared/schema.ts';
import { Text } from '../../shared/text.ts';

export const MAX_ROWS = 10_000;
export const MAX_BYTES = 8 * 1024 * 1024;
export const MAX_SECONDS = 30;
const MAX_SQL = 20_000;
const MAX_PARAMETERS = 50;
const MAX_TEXT = 10_000;

const Value = Type.Union([Text(0, MAX_TEXT), Type.Number(), Type.Boolean(), Type.Null()]);

export const SqlParameters = Type.Record(Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$' }), Value, {
  maxProperties: MAX_PARAMETERS,
  additionalProperties: false,
  description: 'By name: `$plan` in the text is `plan` here, `$1` is `1`.',
});
export type SqlParameters = Static<typeof SqlParameters>;

export const SqlText = Text(1, MAX_SQL, {
  description: 'One SELECT over the views of the data dictionary, as DuckDB writes it.',
});

export const SqlQuestion = Named(
  'SqlQuestion',
  {
    sql: SqlText,
    parameters: Type.Optional(SqlParameters),
  },
  {
    examples: [
      {
        sql: 'SELECT name, count(*) AS events FROM events WHERE occurred_at > now() - to_days($days::INTEGER) GROUP BY name ORDER BY events DESC',
        parameters: { days: 30 },
      },
    ],
  },
);
export type SqlQuestion = Static<typeof SqlQuestion>;

const SqlColumn = Named('SqlColumn', {
  name: Type.String(),
  type: Type.String({ description: "DuckDB's name of the type." }),
});

const CutBy = OneOf(['rows', 'bytes']);

const Rows = Type.Array(Type.Array(Type.Unknown()));

export const SqlAnswer = Named('SqlAnswer', {
  columns: Type.Array(SqlColumn),
  rows: Type.Array(Type.Array(Type.Unknown()), {
    description:
      'In the order of the columns. Instants are ISO 8601; decimals, and whole numbers beyond 2^53, are text.',
  }),
  cutBy: Type.Union([CutBy, Type.Null()], {
    description: `Which bound cut the answer: ${MAX_ROWS} rows or ${MAX_BYTES} bytes; null when it is whole.`,
  }),
  dataThrough: Type.Union([DateTime, Type.Null()], {
    description: 'Every event received before it is in the answer; null when no event was asked.',
  }),
  durationMs: Type.Integer({ minimum: 0 }),
  isolation: Type.String({ description: 'What held the process of this question.' }),
});
export type SqlAnswer = Static<typeof SqlAnswer>;

/** `refused`: by the question's own words. */
export const SQL_FAULTS = [
  ...(['refused', 'timeout', 'memory', 'not_isolated', 'busy'] as const),
  'lost',
] as const;
export type SqlFault = (typeof SQL_FAULTS)[number];

const Failed = Type.Object({ fault: OneOf(SQL_FAULTS), message: Type.String() });

const ChildReply = Type.Union([
  Type.Object({
    columns: SqlAnswer.properties.columns,
    rows: Rows,
    cutBy: Nullable(CutBy),
    isolation: Type.String(),
  }),
  Failed,
]);
export type ChildReply = Static<typeof ChildReply>;
export const childReply = parser(ChildReply, 'reply of the sandbox');

const SqlReply = Type.Union([
  Type.Object({
    columns: SqlAnswer.properties.columns,
    rows: Rows,
    cutBy: Nullable(CutBy),
    isolation: Type.String(),
    dataThroughMs: Nullable(Type.Number()),
  }),
  Failed,
]);
export type SqlReply = Static<typeof SqlReply>;
export const sqlReply = parser(SqlReply, 'reply to an SQL question');

const SentQuestion = Type.Object({
  orgId: Type.String(),
  sql: Type.String(),
  parameters: SqlParameters,
});
export type SentQuestion = Static<typeof SentQuestion>;
export const sentQuestion = parser(SentQuestion, 'SQL question');
