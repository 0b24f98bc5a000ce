import { at, must } from '../../shared/assert.ts';
import { newId } from '../../shared/ids.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import { propertiesToAdd, setColumn } from '../catalogue/column-queries.ts';
import { replaceProjection } from '../catalogue/queries.ts';
import type { EventFile } from '../file/event-file.ts';
import { columnName, projectionName } from '../objects/names.ts';
import type { Compactor } from '../parquet/compactor.ts';
import { openProjection } from '../projection/open.ts';
import { buildSql, PROJECTED_COLUMNS } from '../projection/project.ts';
import { checksumText } from '../projection/projection.ts';

/** In one pass over a file, which holds their values in memory. */
const MAX_AT_ONCE = 4;

type Store = Pick<Compactor, 'clock' | 'connection' | 'objects' | 'sql'>;

/** Null when the file changed meanwhile. */
async function readProjectionFile(
  { sql, objects, clock }: Store,
  { fileId, projection }: EventFile,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  const before = must(projection, 'a file to add columns to has a projection');
  const path = await objects.localPath(before).catch(() => null);
  if (path !== null && openProjection(path)?.checksum === checksumText(bytes)) return before;
  const after = projectionName(newId('prj'), clock());
  await objects.putBytes(after, bytes);
  const isSet = await replaceProjection(sql, fileId, { before, after, bytes: bytes.length });
  await objects.remove(isSet ? before : after);
  return isSet ? after : null;
}

export async function writeColumns(store: Store, file: EventFile): Promise<void> {
  const { sql, objects, connection, clock } = store;
  const asked = await propertiesToAdd(sql, file.fileId, MAX_AT_ONCE);
  if (asked.length === 0) return;
  const owner = {
    orgId: must(file.orgId, 'a file of one app has its organization'),
    appId: must(file.appId, 'a file of one app has its app'),
  };
  const local = await objects.localPath(file.path);
  const built = await buildSql(
    connection,
    `(SELECT ${PROJECTED_COLUMNS.join(', ')}
      FROM read_parquet(${textLiteral(local)}, hive_partitioning = false)
      WHERE app_id = ${textLiteral(owner.appId)} AND org_id = ${textLiteral(owner.orgId)})`,
    { withProps: true, owner, senders: 'bounded', asked, rows: file.rows },
  );
  const projection = built && (await readProjectionFile(store, file, built.bytes));
  if (!built || projection === null) return;
  for (const [index, prop] of asked.entries()) {
    const bytes = at(built.columns, index);
    const path = columnName(newId('col'), clock());
    await objects.putBytes(path, bytes);
    const column = { prop, projection, path, bytes: bytes.length };
    const unused = await setColumn(sql, file.fileId, column);
    if (unused !== null) await objects.remove(unused);
  }
}
