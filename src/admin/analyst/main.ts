import { createInterface } from 'node:readline/promises';
import { Type } from '@sinclair/typebox';
import { VIEW_LIST } from '../../modules/sql/index.ts';
import { AppError, errorMessage } from '../../shared/errors.ts';
import { OneOf } from '../../shared/schema.ts';
import { printableLines } from '../../shared/text.ts';
import { runCli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { connect } from '../connect.ts';
import { UsageError } from '../options.ts';
import { ORG } from '../organization.ts';
import { terminal, terminal as output } from '../terminal.ts';
import { exportViews } from './export.ts';
import { printSql } from './print-sql.ts';
import { FORMATS, printAnswer, type Format } from './print.ts';
import { askSaved, listSaved } from './questions.ts';
import { openAnalystSession, type AnalystSession } from './session.ts';

const HELP = `A question ends with a semicolon. The views are ${VIEW_LIST.map(({ name }) => name).join(', ')};
DESCRIBE events shows the columns of one. Ctrl-C stops a question; exit, quit or Ctrl-D ends; help shows this.`;

/** As in psql and DuckDB; only at the start of a query. */
const END = /^\s*[.\\]?(exit|quit|q)\s*;?\s*$/i;
const ASKS_HELP = /^\s*[.\\]?(help|h|\?)\s*;?\s*$/i;

async function converse(session: AnalystSession, format: Format): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on('SIGINT', () => session.interrupt());
  const say = (text: string) => output.out(printableLines(text));
  say(`What ${session.organization} has.\n${HELP}`);
  let question = '';
  // Standard input may close during a query.
  let hasEnded = false;
  terminal.once('close', () => {
    hasEnded = true;
  });
  const prompt = () => {
    if (hasEnded) return;
    terminal.setPrompt(question === '' ? 'sql> ' : '...> ');
    terminal.prompt();
  };
  prompt();
  for await (const line of terminal) {
    if (question === '' && END.test(line)) break;
    if (question === '' && ASKS_HELP.test(line)) {
      say(HELP);
      prompt();
      continue;
    }
    question = `${question}${line}\n`;
    if (question.trim() === '') question = '';
    if (question.trimEnd().endsWith(';')) {
      const asked = question;
      question = '';
      try {
        say(printAnswer(await session.ask(asked), format));
      } catch (thrown) {
        say(errorMessage(thrown));
        if (thrown instanceof AppError && thrown.hint) say(thrown.hint);
      }
    }
    prompt();
  }
  terminal.close();
}

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
