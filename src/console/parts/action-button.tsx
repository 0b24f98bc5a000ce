import { useSignal } from '@preact/signals';
import type { Icon } from './icon.ts';
import { ErrorNotice } from './states.tsx';
import { useSending } from './use-sending.ts';

export function ActionButton(props: {
  button: string;
  /** Where several on a page say the same. */
  label?: string;
  /** What it says afterwards, if that is a text. */
  act: () => Promise<unknown>;
  notAllowed?: string | false;
  kind?: 'primary' | 'ghost';
  icon?: Icon;
  inRow?: boolean;
}) {
  const { icon: Glyph, kind = props.inRow ? 'ghost compact' : 'plain' } = props;
  const said = useSignal('');
  const { send, isSending, error } = useSending();
  const run = async () => {
    said.value = '';
    const answer = await props.act();
    if (typeof answer === 'string') said.value = answer;
  };
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-label={props.label}
        onClick={() => void send(run)}
        disabled={isSending || Boolean(props.notAllowed)}
        title={props.notAllowed || undefined}
      >
        {Glyph && <Glyph />}
        {props.button}
      </button>
      <span class="quiet" role="status">
        {said.value}
      </span>
      {error && <ErrorNotice error={error} />}
    </>
  );
}
