import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

function placeOf(key: string, at: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % length;
    case 'ArrowLeft':
      return (at + length - 1) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
  }
}

export function Tabs<T extends string>(props: {
  label: string;
  options: readonly T[];
  textOf: (option: T) => string;
  value: T;
  onChange: (option: T) => void;
  children: ComponentChildren;
}) {
  const { options, value } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const place = placeOf(event.key, options.indexOf(value), options.length);
    const option = place === undefined ? undefined : options[place];
    if (option === undefined || !(target instanceof HTMLElement)) return;
    event.preventDefault();
    const next = target.parentElement?.children[options.indexOf(option)];
    if (next instanceof HTMLElement) next.focus();
    props.onChange(option);
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={props.label}>
        {options.map((one) => (
          <button
            type="button"
            role="tab"
            key={one}
            id={`${id}-${one}`}
            aria-selected={one === value}
            aria-controls={one === value ? id : undefined}
            tabIndex={one === value ? 0 : -1}
            onClick={() => props.onChange(one)}
            onKeyDown={onKeyDown}
          >
            {props.textOf(one)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={id} aria-labelledby={`${id}-${value}`}>
        {props.children}
      </div>
    </>
  );
}
