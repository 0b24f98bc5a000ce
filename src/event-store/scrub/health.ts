import type { Db } from '../../storage/postgres.ts';
import { countSums } from './queries.ts';

export async function filesHealth({
  sql,
}: {
  sql: Db;
}): Promise<{ good: boolean; detail: string }> {
  const { damaged, path, fault, unchecked } = await countSums(sql);
  const others =
    unchecked === 0
      ? ''
      : ` ${unchecked} files of an earlier release are not checked yet; within a week they are.`;
  if (damaged === 0) {
    return { good: true, detail: `No file of events is known to be damaged.${others}` };
  }
  return {
    good: false,
    detail: `${damaged} files of events are damaged, such as ${path} (${fault}). Questions that need them answer 503. The worker brings them back from a backup or makes them again; what stays damaged has no copy.${others}`,
  };
}
