import { Type } from '@sinclair/typebox';
import { DateTime, parser } from '../../shared/schema.ts';
import { SECOND_MS, toIso } from '../../shared/time.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { BucketFailure } from '../../storage/object-store/bucket-failure.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { MARKER_KEY } from '../objects/names.ts';

const ANSWER_MS = 5 * SECOND_MS;

const Marker = Type.Object({
  installation: Type.String(),
  claimedAt: DateTime,
});
const markers = parser(Marker, MARKER_KEY);

/** Null when unclaimed. */
export async function readMarker(objects: Pick<ObjectStore, 'getBytes'>): Promise<string | null> {
  const bytes = await withTimeout(objects.getBytes(MARKER_KEY), ANSWER_MS, () => {
    throw new BucketFailure('The bucket does not answer.', 'NoAnswer', undefined);
  });
  if (bytes === null) return null;
  return markers.parse(JSON.parse(Buffer.from(bytes).toString())).installation;
}

export async function writeMarker(
  objects: Pick<ObjectStore, 'putBytes'>,
  installation: string,
  at: Date,
): Promise<void> {
  const text = JSON.stringify({ installation, claimedAt: toIso(at) }, null, 2);
  await objects.putBytes(MARKER_KEY, Buffer.from(`${text}\n`));
}
