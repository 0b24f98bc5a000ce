import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type Fault, faultOf } from '../state/api.ts';
import { FaultNotice } from './states.tsx';

/** The texts of a submitted form, by field name. */
export type Fields = { get: (name: string) => string };

/** A form that shows the server's refusal above its button and cannot be sent twice at once. */
export function Form(props: {
  button: string;
  onSubmit: (fields: Fields) => Promise<unknown>;
  children?: ComponentChildren;
  /** Why this reader may not send it. */
  notAllowed?: string | false;
  danger?: boolean;
  /** What was typed stays after it was sent, for a form that changes something. */
  keep?: boolean;
}) {
  const fault = useSignal<Fault | null>(null);
  const isSending = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement) || isSending.value) return;
    const data = new FormData(form);
    isSending.value = true;
    fault.value = null;
    try {
      await props.onSubmit({ get: (name) => String(data.get(name) ?? '') });
      if (!props.keep) form.reset();
    } catch (error) {
      fault.value = faultOf(error);
    }
    isSending.value = false;
  };
  return (
    <form onSubmit={submit}>
      {props.children}
      {fault.value && <FaultNotice fault={fault.value} />}
      <div class="row">
        <button
          type="submit"
          class={props.danger ? 'danger' : 'primary'}
          disabled={isSending.value || Boolean(props.notAllowed)}
        >
          {props.button}
        </button>
        {props.notAllowed && <span class="quiet">{props.notAllowed}</span>}
      </div>
    </form>
  );
}

export function Field(props: {
  label: string;
  name: string;
  type?: 'text' | 'email' | 'password' | 'number' | 'date';
  hint?: string;
  value?: string;
  autocomplete?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number | 'any';
  /** May be left empty. */
  optional?: boolean;
}) {
  const { label, hint, type, value, optional, ...others } = props;
  const id = useId();
  const input = {
    maxLength: 254,
    ...others,
    id,
    defaultValue: value ?? '',
    required: !optional,
    ...(hint && { 'aria-describedby': `${id}-hint` }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'password' ? (
        <input type="password" {...input} />
      ) : type === 'email' ? (
        <input type="email" {...input} />
      ) : type === 'number' ? (
        <input type="number" {...input} />
      ) : type === 'date' ? (
        <input type="date" {...input} />
      ) : (
        <input type="text" {...input} />
      )}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

export function Choice<T extends string>(props: {
  label: string;
  name: string;
  options: readonly (readonly [T, string])[];
  value?: T;
  onChange?: (value: T) => void;
  hideLabel?: boolean;
}) {
  const change = (event: Event) => {
    const { target } = event;
    if (!(target instanceof HTMLSelectElement)) return;
    const found = props.options.find(([value]) => value === target.value);
    if (found) props.onChange?.(found[0]);
  };
  const id = useId();
  const select = (
    <select
      id={id}
      name={props.name}
      value={props.value}
      onChange={change}
      aria-label={props.hideLabel ? props.label : undefined}
    >
      {props.options.map(([value, text]) => (
        <option value={value} key={value}>
          {text}
        </option>
      ))}
    </select>
  );
  if (props.hideLabel) return select;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {select}
    </div>
  );
}
