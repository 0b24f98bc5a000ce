import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../texts/index.ts';

/** The frame of a page: its title, the question it answers, and what one can set. */
export function Page(props: {
  title: string;
  question?: string;
  /** The page of the documentation that explains this one, with an anchor where that helps. */
  help?: string;
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
          {props.question && (
            <p class="quiet">
              {props.question}{' '}
              {props.help && (
                <a href={`/help/${props.help}`} target="_blank" rel="noreferrer">
                  {texts.help}
                </a>
              )}
            </p>
          )}
        </div>
        {props.actions && <div class="row">{props.actions}</div>}
      </div>
      {props.children}
    </main>
  );
}
