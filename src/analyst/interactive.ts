import { createInterface } from 'node:readline/promises';
import { terminal as output } from '../admin/terminal.ts';
import { AppError, messageOf } from '../shared/errors.ts';
import { printableLines } from '../shared/text.ts';
import { type Format, printAnswer } from './print.ts';
import type { AnalystSession } from './session.ts';

const HELP = `A question ends with a semicolon. The view is called events; DESCRIBE events shows its columns.
Ctrl-C stops a question, .quit or Ctrl-D ends.`;

/** Questions and answers until the input ends. */
export async function converse(session: AnalystSession, format: Format): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on('SIGINT', () => session.interrupt());
  const say = (text: string) => output.out(printableLines(text));
  say(`The events of ${session.organization}.\n${HELP}`);
  let question = '';
  const prompt = () => {
    terminal.setPrompt(question === '' ? 'events> ' : '   ...> ');
    terminal.prompt();
  };
  prompt();
  for await (const line of terminal) {
    if (line.trim() === '.quit') break;
    question = `${question}${line}\n`;
    if (question.trim() === '') question = '';
    if (question.trimEnd().endsWith(';')) {
      const asked = question;
      question = '';
      try {
        say(printAnswer(await session.ask(asked), format));
      } catch (thrown) {
        say(messageOf(thrown));
        if (thrown instanceof AppError && thrown.hint) say(thrown.hint);
      }
    }
    prompt();
  }
  terminal.close();
}
