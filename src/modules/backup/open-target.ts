import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bucketTarget } from './bucket-target.ts';
import { folderTarget } from './folder-target.ts';
import type { BackupTarget, TargetContext } from './target.ts';

/** Several installations may share a place. */
export function openTarget(ctx: TargetContext, url: string, installationId: string): BackupTarget {
  return new URL(url).protocol === 'file:'
    ? folderTarget(ctx, join(fileURLToPath(url), installationId))
    : bucketTarget(ctx, url, installationId);
}
