import { useSignal } from '@preact/signals';
import type { RequestError } from '../state/api.ts';
import type { Behind as Figure } from '../state/people-rule.ts';
import { useQuery } from '../state/query.ts';
import { mayEdit } from '../state/session.ts';
import { into } from '../state/signals.ts';
import { texts } from '../texts/index.ts';
import { saving as t } from '../texts/saving.ts';
import { Card } from './card.tsx';
import * as icons from './icons.ts';
import { Pagination } from './pagination.tsx';
import { personColumn } from './person-link.tsx';
import { ErrorNotice, Loaded, Skeleton } from './states.tsx';
import type { FetchPage } from './saving.tsx';
import type { Column } from './table.tsx';
import { useModule } from './use-module.ts';

const SHOWN = 10;

const loadSaving = () => import('./saving.tsx');

export function Behind<T extends { personId: string }>(props: {
  appId: string;
  title: string;
  sub?: string;
  count?: number;
  /** With everything that it depends on. */
  question: string;
  ask: FetchPage<T>;
  columns?: readonly Column<T>[];
  shown?: number;
  figure?: Figure | undefined;
  onClose?: () => void;
}) {
  const { appId, question, ask, count, shown = SHOWN, onClose } = props;
  const { module: saving } = useModule(loadSaving);
  const place = useSignal({ question, cursor: '' });
  const error = useSignal<RequestError | undefined>(undefined);
  // A cursor is of its question.
  const after = place.value.question === question ? place.value.cursor : '';
  const page = useQuery(`behind ${question} ${shown} ${after}`, (signal) =>
    ask({ limit: shown, ...(after && { cursor: after }) }, { signal }),
  );
  const columns: Column<T>[] = [
    personColumn(t.person, ({ personId }) => personId),
    ...(props.columns ?? []),
  ];
  return (
    <Card
      title={props.title}
      flush
      class="behind"
      {...(props.sub && { sub: props.sub })}
      {...(count !== undefined && { count })}
      actions={
        <>
          {saving && props.figure && mayEdit.value && (
            <saving.SaveAsSegment appId={appId} behind={props.figure} />
          )}
          {saving && (
            <saving.SaveAll
              appId={appId}
              name={props.title}
              count={count}
              columns={columns}
              fetchPage={ask}
              onError={into(error)}
            />
          )}
          {onClose && (
            <button type="button" class="icon-button" aria-label={t.close} onClick={onClose}>
              <icons.close />
            </button>
          )}
        </>
      }
    >
      {error.value && <ErrorNotice error={error.value} />}
      <Loaded query={page} skeleton={<Skeleton shape="rows" />}>
        {({ people, nextCursor }) =>
          people.length === 0 ? (
            <p class="card-note">{t.none}</p>
          ) : (
            <>
              {saving ? (
                <saving.People {...{ appId, people, columns }} caption={props.title} />
              ) : (
                <Skeleton shape="rows" />
              )}
              {(after || nextCursor) && (
                <div class="card-foot row">
                  <Pagination
                    cursor={after}
                    next={nextCursor}
                    texts={texts.pagination}
                    onTurn={(cursor) => {
                      place.value = { question, cursor };
                    }}
                  />
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
