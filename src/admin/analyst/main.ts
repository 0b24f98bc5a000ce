import { Type } from '@sinclair/typebox';
import { OneOf } from '../../shared/schema.ts';
import { runCli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { connect } from '../connect.ts';
import { UsageError } from '../options.ts';
import { ORG } from '../organization.ts';
import { terminal } from '../terminal.ts';
import { exportViews } from './export.ts';
import { converse } from './interactive.ts';
import { printSql } from './print-sql.ts';
import { FORMATS, printAnswer } from './print.ts';
import { askSaved, listSaved } from './questions.ts';
import { openAnalystSession } from './session.ts';

const EXPORT = 'export';
const ASK = 'ask';

const analyst = defineCommand({
  name: '',
  summary: 'Ask what one organization has in SQL: events, people, sales, purchases and more',
  input: Type.Object({
    org: ORG,
    format: Type.Optional(OneOf(FORMATS, { description: FORMATS.join(', ') })),
    printSql: Type.Optional(
      Type.Boolean({ description: 'Print the views for any DuckDB instead of asking' }),
    ),
    sql: Type.Optional(
      Type.String({
        description:
          'A SELECT; without it, a conversation; "export" writes Parquet files; "ask" asks a question',
      }),
    ),
    dir: Type.Optional(
      Type.String({
        description: 'With "export": a folder that is empty or not there. With "ask": an app',
      }),
    ),
    question: Type.Optional(
      Type.String({
        description: 'With "ask": a saved one by id or name, or JSON; without it they are listed',
      }),
    ),
  }),
  positionals: ['sql', 'dir', 'question'],
  run: async (ctx, { org, format = 'table', printSql: prints, sql, dir, question }) => {
    const { deps } = ctx;
    if (prints) {
      const text = await printSql(deps, org);
      return { data: { sql: text }, text };
    }
    if (sql === EXPORT) {
      if (dir === undefined) throw new UsageError('"export" needs a folder.');
      const files = await exportViews(deps, org, dir);
      return {
        data: files,
        text: files.map(({ path, rows }) => `${path}  ${rows} rows`).join('\n'),
      };
    }
    if (sql === ASK) {
      if (dir === undefined) throw new UsageError('"ask" needs an app.');
      const data =
        question === undefined
          ? await listSaved(ctx, { org, app: dir })
          : await askSaved(ctx, { org, app: dir, question });
      return { data, text: JSON.stringify(data, null, 2) };
    }
    if (dir !== undefined) throw new UsageError('Put the question into quotes: it is one word.');
    const session = await openAnalystSession(deps, org);
    try {
      if (sql === undefined) {
        await converse(session, format);
        return { data: null, text: '' };
      }
      const answer = await session.ask(sql);
      return { data: answer, text: printAnswer(answer, format) };
    } finally {
      await session.close();
    }
  },
});

const out = (text: string) => {
  if (text !== '') terminal.out(text);
};

process.exit(
  await runCli([analyst], process.argv.slice(2), {
    terminal: { ...terminal, out },
    connect,
    program: 'bun run analyst --',
  }),
);
