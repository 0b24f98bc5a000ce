import { beginWait } from './waits.ts';

/** Undefined, null and false: not yet. `saw` tells what there is of it so far. */
type Look<T> = (saw: (seen: unknown) => void) => Promise<T | Nothing> | T | Nothing;
type Nothing = null | undefined | false;

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
/**
 * Three minutes of an idle machine. It counts looks, not time: where the machine is busy they take
 * longer, as does what they wait for.
 */
const PATIENT_LOOKS = 3_600;

/**
 * Waits for something that a process, a workflow or a page brings about. Fails only when nothing of
 * what was seen has changed for very many looks, and says what was seen last.
 */
export async function until<T>(
  what: string,
  look: Look<T>,
  patientLooks = PATIENT_LOOKS,
): Promise<T> {
  let last = 'nothing';
  let unchanged = 0;
  let pauseMs = FIRST_PAUSE_MS;
  const saw = (seen: unknown) => {
    const text = JSON.stringify(seen) ?? 'undefined';
    if (text !== last) unchanged = 0;
    last = text;
  };
  const endWait = beginWait('polling');
  try {
    for (; unchanged < patientLooks; unchanged += 1) {
      const found = await look(saw);
      if (found !== null && found !== undefined && found !== false) return found;
      await Bun.sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  } finally {
    endWait();
  }
  throw new Error(
    `Waited in vain: ${what}. Nothing has changed for ${patientLooks} looks; seen last: ${last}`,
  );
}
