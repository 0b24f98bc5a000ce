import { type Static, Type } from '@sinclair/typebox';
import { Author } from '../../shared/author.ts';
import { DateTime, Named } from '../../shared/schema.ts';
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

export const SqlQuery = Named(
  'SqlQuery',
  {
    id: Type.String(),
    name: QueryName,
    sql: Type.String(),
    parameters: StoredParameters,
    owner: Author,
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  {
    examples: [
      {
        id: 'qry_01kajw5g3me7t8q2w4r6y9b1cd',
        ...EXAMPLE,
        owner: { kind: 'user', id: 'usr_01kajw5fr2fgqt7v3s6z8x9a0b' },
        createdAt: '2026-11-21T09:00:00.000Z',
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
    ],
  },
);
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
