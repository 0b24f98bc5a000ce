import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { into, turn } from '../state/signals.ts';
import { controls as t } from '../texts/controls.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Popover } from './popover.tsx';
import { ErrorNotice } from './states.tsx';
import { useSending } from './use-sending.ts';

export type GuardedOption<T extends string> = { value: T; label: string; detail?: string };

type Props<T extends string> = {
  label: string;
  options: readonly GuardedOption<T>[];
  value: T;
  changes: (from: T, to: T) => string;
  needsConfirm: (from: T, to: T) => boolean;
  onSave: (value: T) => Promise<unknown>;
  disabledWhy?: string | false | undefined;
};

function Options<T extends string>(
  props: Pick<Props<T>, 'label' | 'options' | 'value' | 'changes'> & {
    chosen: T;
    onChoose: (value: T) => void;
    onApply: () => void;
  },
) {
  const { label, options, value, chosen, onChoose, changes, onApply } = props;
  const name = useId();
  const labelOf = (one: T) => options.find((option) => option.value === one)?.label ?? one;
  return (
    <>
      <fieldset class="guarded-options">
        <legend>{label}</legend>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === chosen}
              data-autofocus={option.value === chosen || undefined}
              onChange={() => onChoose(option.value)}
            />
            <span>
              {option.label}
              {option.detail && <small>{option.detail}</small>}
            </span>
          </label>
        ))}
      </fieldset>
      <p class="guarded-change" role="status">
        {chosen === value ? t.choice.unchanged : changes(value, chosen)}
      </p>
      <button type="button" class="primary" disabled={chosen === value} onClick={onApply}>
        {chosen === value ? t.choice.change : t.choice.apply(labelOf(chosen))}
      </button>
    </>
  );
}

/** Arrow keys and the wheel only look. What gives more is asked again. */
export function ChoiceWithConfirm<T extends string>(props: Props<T>) {
  const { label, options, value, changes, needsConfirm, onSave, disabledWhy } = props;
  const chosen = useSignal<T>(value);
  const isAsking = useSignal(false);
  const { send, forget, isSending, error } = useSending();
  const labelOf = (one: T) => options.find((option) => option.value === one)?.label ?? one;
  const save = async () => {
    isAsking.value = !(await send(() => onSave(chosen.value)));
  };
  const apply = (close: () => void) => {
    close();
    if (needsConfirm(value, chosen.value)) isAsking.value = true;
    else void save();
  };
  return (
    <>
      <Popover
        label={label}
        class="guarded"
        onOpen={() => {
          chosen.value = value;
          forget();
        }}
        button={{
          class: 'plain compact',
          name: `${label}: ${labelOf(value)}`,
          text: labelOf(value),
          opens: true,
          disabledWhy,
        }}
      >
        {(close) => (
          <Options
            {...{ label, options, value, changes }}
            chosen={chosen.value}
            onChoose={into(chosen)}
            onApply={() => apply(close)}
          />
        )}
      </Popover>
      <Dialog
        title={t.choice.apply(labelOf(chosen.value))}
        isOpen={isAsking.value}
        onClose={turn(isAsking, false)}
      >
        <p>{changes(value, chosen.value)}</p>
        {error && <ErrorNotice error={error} />}
        <div class="dialog-acts">
          <Button onClick={turn(isAsking, false)}>{t.cancel}</Button>
          <Button kind="primary" busy={isSending} onClick={() => void save()}>
            {t.choice.apply(labelOf(chosen.value))}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
