import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  INTEGER,
  type Json,
  JsonDuckDBValueConverter,
  StatementType,
  VARCHAR,
} from '@duckdb/node-api';
import { Type } from '@sinclair/typebox';
import type { ChildReply, SqlParameters } from '../../modules/sql/model.ts';
import { onlyRow } from '../../shared/assert.ts';
import { Tolerant, parser } from '../../shared/schema.ts';
import { openStream } from '../../storage/read-chunks.ts';
import { refusalOf } from './allowed.ts';
import type { ChildQuestion } from './protocol.ts';

export class Refused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refused';
  }
}

const parsedText = parser(
  Tolerant({
    error: Type.Boolean(),
    error_message: Type.Optional(Type.String()),
    error_type: Type.Optional(Type.String()),
    statements: Type.Optional(Type.Array(Type.Unknown())),
  }),
  'tree of a question',
);

const ONLY_SELECT = 'only one SELECT can be asked; WITH … SELECT and FROM … count as one';

async function check(
  connection: DuckDBConnection,
  { sql, ...names }: ChildQuestion,
): Promise<void> {
  const asked = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
  const tree = parsedText.parse(JSON.parse(String(onlyRow(asked.getRows())[0])));
  if (tree.error) {
    const { error_type: kind, error_message: message = 'cannot be read' } = tree;
    throw new Refused(kind === 'parser' ? message : ONLY_SELECT);
  }
  if (tree.statements?.length !== 1) throw new Refused(ONLY_SELECT);
  const refusal = refusalOf(tree.statements, names);
  if (refusal !== null) throw new Refused(refusal);
}

const MAX_INTEGER = 2 ** 31 - 1;

function toBound(value: SqlParameters[string]): { value: DuckDBValue; type: DuckDBType } {
  if (typeof value === 'boolean') return { value, type: BOOLEAN };
  if (typeof value !== 'number') return { value, type: VARCHAR };
  if (!Number.isSafeInteger(value)) return { value, type: DOUBLE };
  if (Math.abs(value) <= MAX_INTEGER) return { value, type: INTEGER };
  return { value: BigInt(value), type: BIGINT };
}

function bind(statement: DuckDBPreparedStatement, parameters: SqlParameters): void {
  const bound = Object.entries(parameters).map(([name, value]) => [name, toBound(value)] as const);
  const wanted = Array.from({ length: statement.parameterCount }, (_, index) =>
    statement.parameterName(index + 1),
  );
  const missing = wanted.find((name) => !(name in parameters));
  if (missing !== undefined) throw new Refused(`the parameter "${missing}" has no value`);
  const unknown = Object.keys(parameters).find((name) => !wanted.includes(name));
  if (unknown !== undefined) throw new Refused(`there is no parameter "${unknown}" in the text`);
  statement.bind(
    Object.fromEntries(bound.map(([name, { value }]) => [name, value])),
    Object.fromEntries(bound.map(([name, { type }]) => [name, type])),
  );
}

async function start(connection: DuckDBConnection, question: ChildQuestion) {
  await check(connection, question);
  const statements = await connection.extractStatements(question.sql);
  if (statements.count !== 1) throw new Refused(ONLY_SELECT);
  const statement = await statements.prepare(0);
  if (statement.statementType !== StatementType.SELECT) throw new Refused(ONLY_SELECT);
  bind(statement, question.parameters);
  return openStream(statement);
}

const WHOLE: readonly DuckDBTypeId[] = [
  ...[DuckDBTypeId.BIGINT, DuckDBTypeId.UBIGINT, DuckDBTypeId.HUGEINT, DuckDBTypeId.UHUGEINT],
];
const UTC_INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00(?::00)?$/;

function toCell(value: Json, type: DuckDBTypeId | undefined): Json {
  if (typeof value !== 'string' || type === undefined) return value;
  if (type === DuckDBTypeId.TIMESTAMP_TZ) return value.replace(UTC_INSTANT, '$1T$2Z');
  if (!WHOLE.includes(type)) return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function* rowsOf(chunk: DuckDBDataChunk, types: readonly DuckDBTypeId[]) {
  for (let index = 0; index < chunk.rowCount; index += 1) {
    const cells = chunk.convertRowValues(index, JsonDuckDBValueConverter);
    const row = cells.map((cell, column) => toCell(cell, types[column]));
    yield { row, bytes: Buffer.byteLength(JSON.stringify(row)) + 1 };
  }
}

type Answered = Pick<Exclude<ChildReply, { fault: unknown }>, 'columns' | 'rows' | 'cutBy'>;

export async function readAnswer(
  connection: DuckDBConnection,
  question: ChildQuestion,
): Promise<Answered> {
  const { result, chunks } = await start(connection, question);
  const types = result.columnTypes();
  const columns = result
    .deduplicatedColumnNames()
    .map((name, index) => ({ name, type: String(types[index]) }));
  const ids = types.map(({ typeId }) => typeId);
  const rows: Json[][] = [];
  let bytes = Buffer.byteLength(JSON.stringify(columns));
  for await (const chunk of chunks) {
    for (const { row, bytes: more } of rowsOf(chunk, ids)) {
      if (rows.length === question.maxRows) return { columns, rows, cutBy: 'rows' };
      bytes += more;
      if (bytes > question.maxBytes) return { columns, rows, cutBy: 'bytes' };
      rows.push(row);
    }
  }
  return { columns, rows, cutBy: null };
}
