import { useSignal } from '@preact/signals';
import { type ComponentChildren, h, type TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { FieldName } from '../../shared/field-rules.ts';
import type { RequestError } from '../state/api.ts';
import { texts } from '../texts/index.ts';
import { ErrorNotice } from './states.tsx';
import { useSending } from './use-sending.ts';

export type Fields = {
  get: (name: string) => string;
  all: (name: string) => string[];
};

export function Form(props: {
  button: string;
  onSubmit: (fields: Fields) => Promise<unknown>;
  children?: ComponentChildren;
  notAllowed?: string | false;
  danger?: boolean;
  keep?: boolean;
  done?: string;
  onCancel?: () => void;
  /** Beside the server's own words. */
  advice?: (error: RequestError) => ComponentChildren;
}) {
  const { send, isSending, error } = useSending();
  const isDone = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const data = new FormData(form);
    isDone.value = false;
    const isSent = await send(() =>
      props.onSubmit({
        get: (name) => String(data.get(name) ?? ''),
        all: (name) => data.getAll(name).map(String),
      }),
    );
    if (isSent && props.done) isDone.value = true;
    else if (isSent && !props.keep) form.reset();
  };
  return (
    <form onSubmit={submit}>
      {props.children}
      {error && <ErrorNotice error={error} />}
      {error && props.advice?.(error)}
      <div class="row">
        {props.onCancel && (
          <button type="button" class="plain" onClick={props.onCancel}>
            {texts.confirm.cancel}
          </button>
        )}
        <button
          type="submit"
          class={props.danger ? 'danger' : 'primary'}
          disabled={isSending || Boolean(props.notAllowed)}
        >
          {props.button}
        </button>
        {props.notAllowed && <span class="quiet">{props.notAllowed}</span>}
        {props.done && (
          <span class="good" role="status">
            {isDone.value && props.done}
          </span>
        )}
      </div>
    </form>
  );
}

export const Hint = (props: { id: string; fault: string; hint: string }) => (
  <small id={`${props.id}-hint`} role="status" class={props.fault ? 'bad' : undefined}>
    {props.fault || props.hint}
  </small>
);

const loadFaults = () => import('../state/field-fault.ts');

export function Field(props: {
  label: string;
  name: string;
  type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'datetime-local';
  hint?: string;
  value?: string;
  autocomplete?: string;
  rule?: FieldName;
  /** What else is wrong, such as the value of another field. */
  check?: (value: string) => string | null;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
  step?: number | 'any';
  optional?: boolean;
}) {
  const { label, hint = '', type = 'text', value = '', optional, name, min, max, step } = props;
  const { autocomplete = 'off' } = props;
  const id = useId();
  const fault = useSignal('');
  const judge = async ({ currentTarget: input }: TargetedEvent<HTMLInputElement>) => {
    fault.value = (await loadFaults()).faultIn(input, props);
    input.setCustomValidity(fault.value);
  };
  const input = {
    ...{ id, name, type, autocomplete, min, max, step, defaultValue: value, onInput: judge },
    ...{ required: !optional, 'aria-invalid': fault.value !== '' },
    'aria-describedby': `${id}-hint`,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {h('input', input)}
      <Hint id={id} fault={fault.value} hint={hint} />
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
  // Drawing again does not undo a choice.
  const select = (
    <select
      id={id}
      name={props.name}
      value={props.onChange && props.value}
      onChange={change}
      aria-label={props.hideLabel ? props.label : undefined}
    >
      {props.options.map(([value, text]) => (
        <option value={value} key={value} selected={value === props.value}>
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

export function Checks(props: {
  label: string;
  name: string;
  options: readonly (readonly [string, string])[];
  value: readonly string[];
}) {
  return (
    <fieldset class="field">
      <legend>{props.label}</legend>
      {props.options.map(([value, text]) => (
        <label key={value}>
          <input
            type="checkbox"
            name={props.name}
            value={value}
            defaultChecked={props.value.includes(value)}
          />{' '}
          {text}
        </label>
      ))}
    </fieldset>
  );
}
