import { type Signal, useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { exactNumber } from '../format.ts';
import { texts } from '../texts/index.ts';
import * as icons from './icons.ts';

type SaveCsv = () => void;
const CsvPlace = createContext<Signal<SaveCsv | null> | null>(null);

/** False without a card. */
export function useCardCsv(save: SaveCsv | null): boolean {
  const place = useContext(CsvPlace);
  useEffect(() => {
    if (!place) return;
    place.value = save;
    return () => {
      if (place.peek() === save) place.value = null;
    };
  });
  return place !== null;
}

export const CsvButton = (props: { of: string; save: SaveCsv; class?: string }) => (
  <button
    type="button"
    class={`ghost compact ${props.class ?? ''}`}
    aria-label={texts.csvOf(props.of)}
    onClick={props.save}
  >
    <icons.download class="small" />
    {texts.csv}
  </button>
);

/** A table in it puts its CSV into the head. */
export function Card(props: {
  title: string;
  isRegion?: boolean | undefined;
  sub?: ComponentChildren;
  count?: number | undefined;
  actions?: ComponentChildren;
  csv?: SaveCsv;
  /** Where the same stands at length. */
  href?: string;
  flush?: boolean;
  class?: string | undefined;
  children: ComponentChildren;
}) {
  const table = useSignal<SaveCsv | null>(null);
  const save = props.csv ?? table.value;
  return (
    <section
      class={`card ${props.class ?? ''}`}
      aria-label={props.isRegion ? props.title : undefined}
    >
      <div class="card-head">
        <h2>{props.title}</h2>
        {props.sub && <span class="sub">{props.sub}</span>}
        {props.count !== undefined && <span class="chip">{exactNumber(props.count)}</span>}
        <div class="card-actions">
          {props.actions}
          {save && <CsvButton of={props.title} save={save} />}
          {props.href && (
            <a href={props.href}>
              {texts.open}
              <span class="skip"> {props.title}</span>
            </a>
          )}
        </div>
      </div>
      <CsvPlace.Provider value={table}>
        <div class={props.flush ? 'card-body flush' : 'card-body'}>{props.children}</div>
      </CsvPlace.Provider>
    </section>
  );
}
