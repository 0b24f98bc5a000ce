import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { api } from '../state/api.ts';
import { type Asked, useQuestion } from '../state/question.ts';
import { texts } from '../texts/index.ts';
import { downloadCsv } from './download.ts';
import { PersonLink } from './person-link.tsx';
import { Answered } from './states.tsx';
import { TurnOf } from './turn.tsx';

const t = texts.people;
type Page = Awaited<ReturnType<typeof api.listEventSeriesPeople>>;

/** The people behind a number, a page at a time, each with a link to what happened to them. */
export function Behind(props: {
  appId: string;
  title: string;
  /** Names the number with everything that it depends on. */
  question: string;
  ask: (cursor: { cursor?: string }, options: { signal: AbortSignal }) => Promise<Page>;
}) {
  const { appId, title, question, ask } = props;
  const cursor = useSignal('');
  useEffect(() => {
    cursor.value = '';
  }, [question]);
  const after = cursor.value;
  const page: { value: Asked<Page>; again: () => void } = useQuestion(
    `behind ${question} ${after}`,
    (signal) => ask(after ? { cursor: after } : {}, { signal }),
  );
  return (
    <section aria-live="polite">
      <h2>{title}</h2>
      <Answered asked={page.value} again={page.again}>
        {({ people, nextCursor }) =>
          people.length === 0 ? (
            <p>{t.none}</p>
          ) : (
            <>
              <ul class="ids">
                {people.map(({ personId }) => (
                  <li key={personId}>
                    <PersonLink appId={appId} personId={personId} />
                  </li>
                ))}
              </ul>
              <div class="row">
                <button
                  type="button"
                  class="link"
                  onClick={() =>
                    downloadCsv('people.csv', [
                      [t.person],
                      ...people.map(({ personId }) => [personId]),
                    ])
                  }
                >
                  {texts.csv}
                </button>
                <TurnOf cursor={cursor} next={nextCursor} />
              </div>
            </>
          )
        }
      </Answered>
    </section>
  );
}
