import { createInterface } from 'node:readline/promises';
import { VIEW_LIST } from '../../modules/sql/index.ts';
import { AppError, errorMessage } from '../../shared/errors.ts';
import { printableLines } from '../../shared/text.ts';
import { terminal as output } from '../terminal.ts';
import { type Format, printAnswer } from './print.ts';
import type { AnalystSession } from './session.ts';

const HELP = `A question ends with a semicolon. The views are ${VIEW_LIST.map(({ name }) => name).join(', ')};
DESCRIBE events shows the columns of one. Ctrl-C stops a question; exit, quit or Ctrl-D ends; help shows this.`;

/** As in psql and DuckDB; only at the start of a query. */
const END = /^\s*[.\\]?(exit|quit|q)\s*;?\s*$/i;
const ASKS_HELP = /^\s*[.\\]?(help|h|\?)\s*;?\s*$/i;

export async function converse(session: AnalystSession, format: Format): Promise<void> {
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
