import { localFiles } from '../catalogue/event-sources.ts';
import type { Compactor } from '../parquet/compactor.ts';
import type { ReadableFile } from '../parquet/read-files.ts';

/** A bucket may exceed the disk. */
const BATCH_BYTES = 1024 * 1024 * 1024;
/** Files per statement. */
const BATCH_FILES = 500;

export async function* inBatches(
  { objects }: Pick<Compactor, 'objects'>,
  files: readonly (ReadableFile & { bytes: number })[],
): AsyncGenerator<ReadableFile[]> {
  let batch: ReadableFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length === BATCH_FILES || (batch.length > 0 && bytes + file.bytes > BATCH_BYTES)) {
      yield await localFiles(objects, batch, { when: 'anew' });
      batch = [];
      bytes = 0;
    }
    batch.push({ path: file.path, format: file.format });
    bytes += file.bytes;
  }
  if (batch.length > 0) yield await localFiles(objects, batch, { when: 'anew' });
}
