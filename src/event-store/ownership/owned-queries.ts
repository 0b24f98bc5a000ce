import { AppError } from '../../shared/errors.ts';
import { SECOND_MS } from '../../shared/time.ts';
import { SEGMENT_COPIES } from '../objects/names.ts';
import type { OwnedObjectStore } from '../store.ts';
import { claimPlace, type Place } from './claim.ts';
import { readMarker } from './marker.ts';

/** Bounds writes after another installation took over. */
const TRUSTED_MS = 10 * SECOND_MS;
/** Rechecked in the background, so that writes never wait. */
const RENEWED_MS = TRUSTED_MS / 2;

function ownership(place: Place): () => Promise<void> {
  let id: string | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  const check = async () => {
    // The database is needed only for a foreign or missing marker.
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
    // Failures surface in the first write past the trusted age.
    if (ageMs >= RENEWED_MS) begin().catch(() => undefined);
  };
}

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
      // Log copies proceed without PostgreSQL.
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
