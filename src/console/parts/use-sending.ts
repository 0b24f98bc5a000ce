import { useSignal } from '@preact/signals';
import { type RequestError, toRequestError } from '../state/api.ts';

/** One at a time, and why the last could not be done. */
export function useSending() {
  const error = useSignal<RequestError | undefined>(undefined);
  const isSending = useSignal(false);
  const send = async (act: () => Promise<unknown>): Promise<boolean> => {
    if (isSending.peek()) return false;
    isSending.value = true;
    error.value = undefined;
    try {
      await act();
      return true;
    } catch (caught) {
      error.value = toRequestError(caught);
      return false;
    } finally {
      isSending.value = false;
    }
  };
  const forget = () => {
    error.value = undefined;
  };
  return { send, forget, isSending: isSending.value, error: error.value };
}
