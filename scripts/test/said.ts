import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const LAST_LINES = 150;

/**
 * The last lines of what the services of a failed job have said (`test/support/instance.ts`), since
 * a log of CI is all there is afterwards.
 */
export async function lastSaid(dir: string): Promise<string[]> {
  if (!existsSync(dir)) return [];
  const names = (await readdir(dir)).toSorted();
  const texts = await Promise.all(names.map((name) => Bun.file(join(dir, name)).text()));
  return texts.flatMap((text, index) => [
    `--- ${names[index]}`,
    ...text.trimEnd().split('\n').slice(-LAST_LINES),
  ]);
}
