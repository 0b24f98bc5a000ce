import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../texts/index.ts';

/** The frame of a page: its title, the question it answers, and what one can set. */
export function Page(props: {
  title: string;
  question?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${props.title} · ${texts.product}`;
  }, [props.title]);
  return (
    <main id="content" tabIndex={-1}>
      <div class="page-head">
        <div>
          <h1>{props.title}</h1>
          {props.question && <p class="quiet">{props.question}</p>}
        </div>
        {props.actions && <div class="row">{props.actions}</div>}
      </div>
      {props.children}
    </main>
  );
}
