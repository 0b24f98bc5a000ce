/** A choice of what stands below, one shown at a time. */
export function Tabs<T extends string>(props: {
  label: string;
  options: readonly T[];
  textOf: (option: T) => string;
  value: T;
  onChange: (option: T) => void;
}) {
  return (
    <div class="tabs" role="tablist" aria-label={props.label}>
      {props.options.map((one) => (
        <button
          type="button"
          role="tab"
          key={one}
          aria-selected={one === props.value}
          onClick={() => props.onChange(one)}
        >
          {props.textOf(one)}
        </button>
      ))}
    </div>
  );
}
