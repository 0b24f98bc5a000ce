import type { ComponentChildren } from 'preact';
import { texts } from '../texts/index.ts';

/** One figure: its name, its value, what it is compared with, and what it means on demand. */
export function FigureCard(props: {
  title: string;
  /** Undefined while it is on its way. */
  figure: ComponentChildren | undefined;
  note?: ComponentChildren;
  meaning?: string;
  href?: string;
}) {
  return (
    <section class="card">
      <h2>{props.href ? <a href={props.href}>{props.title}</a> : props.title}</h2>
      {props.figure === undefined ? (
        <p class="figure" aria-busy="true">
          …
        </p>
      ) : (
        <p class="figure">{props.figure}</p>
      )}
      {props.note && <p class="quiet">{props.note}</p>}
      {props.meaning && (
        <details class="quiet">
          <summary>{texts.meaning}</summary>
          {props.meaning}
        </details>
      )}
    </section>
  );
}
