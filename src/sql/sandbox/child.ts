import { readFileSync, writeSync } from 'node:fs';
import type { ChildReply } from '../../modules/sql/model.ts';
import { errorMessage } from '../../shared/errors.ts';
import { keepInterrupting } from '../../storage/duckdb.ts';
import { UnfinishedRead } from '../../storage/read-chunks.ts';
import { confine } from './confine.ts';
import { NotIsolated } from './kernel.ts';
import { openViews } from './open-views.ts';
import { childQuestion, questionPath } from './protocol.ts';
import { Refused, readAnswer } from './read-answer.ts';

const ISOLATION = 'landlock, seccomp';
const OUT_OF_MEMORY = /out of memory|failed to allocate|could not allocate|bad_alloc/i;
const OF_THE_FILES = /^(IO|Internal|FATAL) /i;

function toFault(thrown: unknown): ChildReply {
  const message = errorMessage(thrown);
  if (thrown instanceof Refused) return { fault: 'refused', message };
  if (thrown instanceof NotIsolated) return { fault: 'not_isolated', message };
  if (/^INTERRUPT/i.test(message)) return { fault: 'timeout', message };
  if (OUT_OF_MEMORY.test(message)) return { fault: 'memory', message };
  const isLost = thrown instanceof UnfinishedRead || OF_THE_FILES.test(message);
  return { fault: isLost ? 'lost' : 'refused', message };
}

async function reply(): Promise<ChildReply> {
  const text = readFileSync(questionPath(process.cwd()), 'utf8');
  const question = childQuestion.parse(JSON.parse(text));
  const connection = await openViews(question).catch((thrown: unknown) => {
    throw new Error(`IO of the views: ${errorMessage(thrown)}`);
  });
  confine();
  setTimeout(() => keepInterrupting(connection), question.timeMs);
  return { ...(await readAnswer(connection, question)), isolation: ISOLATION };
}

function say(text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(1, bytes, offset);
}

void reply()
  .catch(toFault)
  .then((answer) => {
    say(JSON.stringify(answer));
    process.exit(0);
  });
