import type { ComponentChildren } from 'preact';
import * as icons from './icons.ts';

export function SearchForm(props: {
  label: string;
  hint?: string;
  value: string;
  maxLength?: number;
  onSearch: (text: string) => void;
  class?: string;
  children?: ComponentChildren;
}) {
  const { label, hint = label, value } = props;
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    props.onSearch(String(new FormData(form).get('search') ?? '').trim());
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: the form itself is the landmark.
    <form role="search" class={`search-field ${props.class ?? ''}`} onSubmit={find}>
      <icons.search aria-hidden class="small" />
      <input
        key={value}
        name="search"
        type="search"
        autocomplete="off"
        aria-label={label}
        placeholder={hint}
        title={hint}
        defaultValue={value}
        maxLength={props.maxLength ?? 256}
      />
      {props.children}
    </form>
  );
}
