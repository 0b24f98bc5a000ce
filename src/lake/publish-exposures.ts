import { besidePool } from '../storage/postgres.ts';
import { commitChange } from './commit.ts';
import * as queries from './exposures-queries.ts';
import { replacedExposures } from './files-queries.ts';
import type { Publisher } from './publisher.ts';
import { type LakeTable, takePublisher } from './queries.ts';
import { eventDataFile } from './tables/events.ts';
import { EXPOSURES, exposuresSql, mayHaveExposures } from './tables/exposures.ts';
import { writeSelected } from './tables/write.ts';
import type { Publication } from './write-manifests.ts';

/** Files per transaction; progress survives a kill. */
const AT_ONCE = 20;

async function readExposures({ objects, duck }: Publisher, file: queries.UnreadFile) {
  if (!mayHaveExposures(file.stats)) return null;
  const { specId, partition } = eventDataFile(file, file.stats);
  const local = await objects.localPath(file.path);
  const relation = exposuresSql({ path: local, format: file.format });
  const writer = { connection: await duck(), objects };
  return writeSelected(writer, EXPOSURES, relation, { specId, partition });
}

/** Under the publisher lock against sweeps. */
export async function copyExposures(publisher: Publisher): Promise<void> {
  const { sql } = publisher;
  let left = AT_ONCE;
  while (left === AT_ONCE) {
    left = await besidePool(sql).begin(async (tx) => {
      if (!(await takePublisher(tx))) return 0;
      const files = await queries.unreadFiles(tx, AT_ONCE);
      for (const file of files) {
        await queries.noteExposures(tx, file.path, await readExposures(publisher, file));
      }
      return files.length;
    });
  }
}

export async function publishExposures(
  publication: Publication,
  before: LakeTable | null,
): Promise<boolean> {
  const { tx } = publication;
  await queries.deleteRetiredExposures(tx);
  // Exposures must cover every event.
  if ((await queries.unreadFiles(tx, 1)).length > 0) return false;
  const [added, removed] = await Promise.all([
    queries.unpublishedExposures(tx, EXPOSURES.name),
    replacedExposures(tx, EXPOSURES.name),
  ]);
  if (before && added.length + removed.length === 0) return false;
  await commitChange(publication, EXPOSURES, before, { added, removed, source: '' });
  return true;
}
