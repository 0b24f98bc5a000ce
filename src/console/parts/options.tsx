export function Options(props: {
  label: string;
  name: string;
  options: readonly { value: string; label: string; detail?: string }[];
  value: string;
}) {
  return (
    <fieldset class="field options">
      <legend>{props.label}</legend>
      {props.options.map(({ value, label, detail }) => (
        <label key={value}>
          <input
            type="radio"
            name={props.name}
            value={value}
            defaultChecked={value === props.value}
          />
          <span>
            {label}
            {detail && <small>{detail}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
