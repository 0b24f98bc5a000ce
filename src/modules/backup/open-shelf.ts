import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bucketShelf } from './bucket-shelf.ts';
import { folderShelf } from './folder-shelf.ts';
import type { Shelf, ShelfContext } from './shelf.ts';

/** The shelf at an address, for the installation of this id: several may share the place. */
export function openShelf(ctx: ShelfContext, url: string, installationId: string): Shelf {
  return new URL(url).protocol === 'file:'
    ? folderShelf(ctx, join(fileURLToPath(url), installationId))
    : bucketShelf(ctx, url, installationId);
}
