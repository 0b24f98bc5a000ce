import { Type } from '@sinclair/typebox';
import { runCli } from '../admin/cli.ts';
import { defineCommand } from '../admin/command.ts';
import { connect } from '../admin/connect.ts';
import { terminal } from '../admin/terminal.ts';
import { OneOf } from '../shared/schema.ts';
import { converse } from './interactive.ts';
import { FORMATS, printAnswer } from './print.ts';
import { openAnalystSession } from './session.ts';

const analyst = defineCommand({
  name: 'analyst',
  summary: 'Ask the events of one organization in SQL',
  input: Type.Object({
    org: Type.String({ description: 'Id, slug or name of the organization' }),
    format: Type.Optional(OneOf(FORMATS, { description: FORMATS.join(', ') })),
    sql: Type.Optional(
      Type.String({ description: 'A SELECT over the view events; without it, a conversation' }),
    ),
  }),
  positionals: ['sql'],
  run: async ({ deps }, { org, format = 'table', sql }) => {
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

/** Prints nothing after an interactive session, which has printed its answers itself. */
const out = (text: string) => {
  if (text !== '') terminal.out(text);
};

const words = ['analyst', ...process.argv.slice(2)];
process.exit(await runCli([analyst], words, { terminal: { ...terminal, out }, connect }));
