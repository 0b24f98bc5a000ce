import { AppError } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { SEGMENT_COPIES } from '../names.ts';
import type { OwnedObjectStore } from '../store.ts';
import { claimPlace, type Place } from './claim.ts';
import { readMarker } from './marker.ts';

/** Bounds how long this process goes on after a restore in place took the marker over. */
const TRUSTED_MS = 10 * SECOND_MS;
/** From this age on it is checked again beside what is written, which then never waits for it. */
const RENEWED_MS = TRUSTED_MS / 2;

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
  const begin = () => {
    checking ??= check().finally(() => {
      checking = null;
    });
    return checking;
  };
  return async () => {
    const ageMs = performance.now() - checkedAt;
    if (ageMs >= TRUSTED_MS) return begin();
    // What fails here is asked again by the first write after the age of trust.
    if (ageMs >= RENEWED_MS) begin().catch(() => undefined);
  };
}

/**
 * The store of this installation: refuses to write to or remove from a place that belongs to
 * another one. Reads are not checked.
 */
export function ownedObjectStore(place: Place): OwnedObjectStore {
  const { objects } = place;
  const assertOwned = ownership(place);
  return {
    ...objects,
    confirmOwner: assertOwned,
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
