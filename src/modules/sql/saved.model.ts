import { type Static, Type } from '@sinclair/typebox';
import { Author } from '../../shared/author.ts';
import { Saved } from '../../shared/saved.ts';
import { Named } from '../../shared/schema.ts';
import { Name } from '../../shared/text.ts';
import { SqlParameters, SqlText } from './model.ts';

export const SAVED_QUERIES_MAX = 200;

const EXAMPLE = {
  name: 'Events by name',
  sql: 'SELECT name, count(*) AS events FROM events WHERE occurred_at > now() - to_days($days::INTEGER) GROUP BY name ORDER BY events DESC',
  parameters: { days: 30 },
};

const StoredParameters = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
);

const QueryName = Name(1, 80);

export const SqlQuery = Saved('SqlQuery', {
  name: QueryName,
  sql: Type.String(),
  parameters: StoredParameters,
  owner: Author,
});
export type SqlQuery = Static<typeof SqlQuery>;

export const NewSqlQuery = Named(
  'NewSqlQuery',
  { name: QueryName, sql: SqlText, parameters: Type.Optional(SqlParameters) },
  { examples: [EXAMPLE] },
);
export type NewSqlQuery = Static<typeof NewSqlQuery>;

export const SqlQueryChange = Type.Partial(NewSqlQuery, {
  title: 'SqlQueryChange',
  minProperties: 1,
  examples: [{ name: 'Events by name, in a month' }],
});
export type SqlQueryChange = Static<typeof SqlQueryChange>;

const SqlViewColumn = Named('SqlViewColumn', {
  name: Type.String(),
  type: Type.String(),
  meaning: Type.String(),
});

export const SqlView = Named('SqlView', {
  name: Type.String(),
  meaning: Type.String(),
  columns: Type.Array(SqlViewColumn),
});
export type SqlView = Static<typeof SqlView>;
