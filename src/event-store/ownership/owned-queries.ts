import { AppError } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { ObjectStore } from '../../storage/object-store/port.ts';
import { SEGMENT_COPIES } from '../names.ts';
import { claimPlace, type Place } from './claim.ts';
import { readMarker } from './marker.ts';

/** Bounds how long this process goes on after a restore in place took the marker over. */
const TRUSTED_MS = 10 * SECOND_MS;

/** Throws `conflict` unless the place is this installation's, by a check at most ten seconds old. */
function ownership(place: Place): () => Promise<void> {
  let id: string | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  const check = async () => {
    // Once the id is known, only a foreign or missing marker takes a query.
    if (id === null || (await readMarker(place.objects)) !== id) id = await claimPlace(place);
    checkedAt = performance.now();
  };
  return async () => {
    if (performance.now() - checkedAt < TRUSTED_MS) return;
    checking ??= check().finally(() => {
      checking = null;
    });
    await checking;
  };
}

/**
 * The store of this installation: refuses to write to or remove from a place that belongs to
 * another one. Reads are not checked.
 */
export function ownedObjectStore(place: Place): ObjectStore {
  const { objects } = place;
  const assertOwned = ownership(place);
  return {
    ...objects,
    adopt: async (scratchPath, key) => {
      await assertOwned();
      await objects.adopt(scratchPath, key);
    },
    putBytes: async (key, bytes) => {
      // Copies of the log are made also while PostgreSQL cannot confirm the owner.
      await assertOwned().catch((thrown: unknown) => {
        if (thrown instanceof AppError || !key.startsWith(SEGMENT_COPIES)) throw thrown;
      });
      await objects.putBytes(key, bytes);
    },
    remove: async (key) => {
      await assertOwned();
      await objects.remove(key);
    },
  };
}
