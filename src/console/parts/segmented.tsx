import { useId } from 'preact/hooks';

/** A choice of two to five short words, all in sight. */
export function Segmented<T extends string>(props: {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onChange: (value: T) => void;
  /** 28 px, inside cards. */
  compact?: boolean;
}) {
  const name = useId();
  return (
    <fieldset class={props.compact ? 'segmented compact' : 'segmented'}>
      <legend class="skip">{props.label}</legend>
      {props.options.map(([value, text]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
