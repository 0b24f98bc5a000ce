import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { api } from '../state/api.ts';
import { type Query, useQuery } from '../state/query.ts';
import { texts } from '../texts/index.ts';
import { people as t } from '../texts/people.ts';
import { downloadCsv } from './download.ts';
import { CursorPagination } from './pagination.tsx';
import { PersonLink } from './person-link.tsx';
import { Loaded } from './states.tsx';

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
  const page: Query<Page> = useQuery(`behind ${question} ${after}`, (signal) =>
    ask(after ? { cursor: after } : {}, { signal }),
  );
  return (
    <section aria-live="polite">
      <h2>{title}</h2>
      <Loaded query={page}>
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
                <CursorPagination cursor={cursor} next={nextCursor} />
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
