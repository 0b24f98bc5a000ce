import type { ComponentChildren } from 'preact';

/** One figure: its name, its value, what it is compared with, and what it means on demand. */
export function Card(props: {
  title: string;
  figure: ComponentChildren;
  note?: ComponentChildren;
  meaning?: string;
  href?: string;
}) {
  return (
    <section class="card">
      <h2>{props.href ? <a href={props.href}>{props.title}</a> : props.title}</h2>
      <p class="figure">{props.figure}</p>
      {props.note && <p class="quiet">{props.note}</p>}
      {props.meaning && (
        <details class="quiet">
          <summary>What it means</summary>
          {props.meaning}
        </details>
      )}
    </section>
  );
}
