import type { AppScope } from '../../shared/app.ts';
import { newId } from '../../shared/ids.ts';
import { textLiteral } from '../../storage/duckdb-literal.ts';
import type { NewEventFile } from '../file/event-file.ts';
import { projectionName } from '../objects/names.ts';
import type { FileWriter } from '../store.ts';
import { PROJECTION_REVISION } from './format.ts';
import { PROJECTED_COLUMNS, projectSql } from './project.ts';

type Projected = Pick<NewEventFile, 'projection' | 'projectionBytes' | 'projectionFormat'>;

/** Shared file, or still pending. */
export const NOT_YET: Projected = { projection: null, projectionBytes: null, projectionFormat: 0 };

export async function writeProjection(
  { connection, objects, clock }: Pick<FileWriter, 'connection' | 'objects' | 'clock'>,
  localPath: string,
  owner: AppScope,
  rows: number,
): Promise<Projected> {
  const bytes = await projectSql(
    connection,
    `(SELECT ${PROJECTED_COLUMNS.join(', ')}
      FROM read_parquet(${textLiteral(localPath)}, hive_partitioning = false)
      WHERE app_id = ${textLiteral(owner.appId)} AND org_id = ${textLiteral(owner.orgId)})`,
    { withProps: true, owner, senders: 'bounded', rows },
  );
  if (bytes === null) return { ...NOT_YET, projectionFormat: PROJECTION_REVISION };
  const projection = projectionName(newId('prj'), clock());
  await objects.putBytes(projection, bytes);
  return { projection, projectionBytes: bytes.length, projectionFormat: PROJECTION_REVISION };
}
