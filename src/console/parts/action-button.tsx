import { useSignal } from '@preact/signals';
import { type RequestError, toRequestError } from '../state/api.ts';
import { ErrorNotice } from './states.tsx';

export function ActionButton(props: {
  button: string;
  /** Where several on a page say the same. */
  label?: string;
  /** What it says afterwards, if that is a text. */
  act: () => Promise<unknown>;
  notAllowed?: string | false;
  primary?: boolean;
  inRow?: boolean;
}) {
  const said = useSignal('');
  const error = useSignal<RequestError | null>(null);
  const isFetching = useSignal(false);
  const run = async () => {
    isFetching.value = true;
    said.value = '';
    error.value = null;
    try {
      const answer = await props.act();
      if (typeof answer === 'string') said.value = answer;
    } catch (caught) {
      error.value = toRequestError(caught);
    }
    isFetching.value = false;
  };
  return (
    <>
      <button
        type="button"
        class={props.primary ? 'primary' : props.inRow ? 'ghost compact' : 'plain'}
        aria-label={props.label}
        onClick={run}
        disabled={isFetching.value || Boolean(props.notAllowed)}
        title={props.notAllowed || undefined}
      >
        {props.button}
      </button>
      <span class="quiet" role="status">
        {said.value}
      </span>
      {error.value && <ErrorNotice error={error.value} />}
    </>
  );
}
