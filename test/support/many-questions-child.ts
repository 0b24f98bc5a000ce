import { readFileSync, writeSync } from 'node:fs';
import { confine } from '../../src/sql/sandbox/confine.ts';
import { openViews } from '../../src/sql/sandbox/open-views.ts';
import { childQuestion } from '../../src/sql/sandbox/protocol.ts';
import { readAnswer } from '../../src/sql/sandbox/read-answer.ts';

/** Runs in the sandbox in place of a question: many of them, one after the other, as one is. */
const question = childQuestion.parse(JSON.parse(readFileSync('question.json', 'utf8')));
const statements: string[] = JSON.parse(readFileSync('statements.json', 'utf8'));
const connection = await openViews(question);
confine();

const LIMIT_MS = 300;
for (const [index, sql] of statements.entries()) {
  let timer: Timer | undefined;
  const interrupt = () => {
    connection.interrupt();
    timer = setTimeout(interrupt, 20);
  };
  timer = setTimeout(interrupt, LIMIT_MS);
  const text = await readAnswer(connection, { ...question, sql })
    .then((answer) => JSON.stringify(answer))
    .catch((thrown) => `refused: ${thrown.message}`);
  clearTimeout(timer);
  writeSync(1, `${JSON.stringify([index, text.slice(0, 2_000)])}\n`);
}
process.exit(0);
