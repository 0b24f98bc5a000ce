import { useId } from 'preact/hooks';
import type { Icon } from './icons.ts';

export function Segmented<T extends string>(props: {
  label: string;
  options: readonly (readonly [value: T, text: string, icon?: Icon])[];
  value: T;
  onChange: (value: T) => void;
  /** 28 px, inside cards. */
  compact?: boolean;
}) {
  const name = useId();
  return (
    <fieldset class={props.compact ? 'segmented compact' : 'segmented'}>
      <legend class="skip">{props.label}</legend>
      {props.options.map(([value, text, Glyph]) => (
        <label key={value} title={Glyph && text}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>
            {Glyph ? (
              <>
                <Glyph aria-hidden />
                <span class="skip">{text}</span>
              </>
            ) : (
              text
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
