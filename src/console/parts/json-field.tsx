import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Hint } from './form.tsx';
import { experiments as t } from '../texts/experiments.ts';

const faultIn = (text: string): string => {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `${t.notJson} ${error instanceof Error ? error.message : ''}`;
  }
};

/** Keeps its form from being sent where it is not JSON. */
export function JsonField(props: { label: string; name: string; value?: unknown; hint: string }) {
  const id = useId();
  const fault = useSignal('');
  const check = (event: Event) => {
    const { target } = event;
    if (!(target instanceof HTMLTextAreaElement)) return;
    fault.value = faultIn(target.value);
    target.setCustomValidity(fault.value);
  };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <textarea
        id={id}
        name={props.name}
        rows={6}
        required
        spellcheck={false}
        defaultValue={JSON.stringify(props.value ?? {}, null, 2)}
        onInput={check}
        aria-invalid={fault.value !== ''}
        aria-describedby={`${id}-hint`}
      />
      <Hint id={id} fault={fault.value} hint={props.hint} />
    </div>
  );
}
