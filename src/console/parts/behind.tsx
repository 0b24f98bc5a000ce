import { useSignal } from '@preact/signals';
import type { SegmentRule } from '../../../clients/api/src/index.ts';
import { exactNumber } from '../format.ts';
import { type ListPage, type PageQuery, readAllPages } from '../state/all-pages.ts';
import { type RequestError, toRequestError } from '../state/api.ts';
import { ruleAddress } from '../state/people-rule.ts';
import { useDrawnPlace } from '../state/place.ts';
import { useQuery } from '../state/query.ts';
import { mayEdit } from '../state/session.ts';
import { shortNameOf } from '../state/short-name.ts';
import { into } from '../state/signals.ts';
import { texts } from '../texts/index.ts';
import { people as t } from '../texts/people.ts';
import { visible } from '../visible.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import * as icons from './icons.ts';
import { Pagination } from './pagination.tsx';
import { personPath } from './person-link.tsx';
import { ErrorNotice, Loaded, Skeleton } from './states.tsx';
import { type Column, saveRows, Table } from './table.tsx';

/** Rows of a page; a page more is a click. */
const SHOWN = 10;

type FetchPage<T> = (query: PageQuery, options: { signal?: AbortSignal }) => Promise<ListPage<T>>;

/** However many pages it has. */
function SaveAll<T>(props: {
  name: string;
  count: number | undefined;
  columns: readonly Column<T>[];
  fetchPage: FetchPage<T>;
  onError: (error: RequestError | undefined) => void;
}) {
  const isSaving = useSignal(false);
  const { app } = useDrawnPlace();
  const text = t.all(props.count === undefined ? '' : exactNumber(props.count));
  const save = async () => {
    isSaving.value = true;
    props.onError(undefined);
    try {
      const all = await readAllPages((query) => props.fetchPage(query, {}));
      const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
      saveRows(shortNameOf(`${app?.displayName ?? ''} ${props.name} ${day}`), props.columns, all);
    } catch (caught) {
      props.onError(toRequestError(caught));
    }
    isSaving.value = false;
  };
  return (
    <button
      type="button"
      class="ghost compact"
      disabled={isSaving.value}
      aria-busy={isSaving.value || undefined}
      aria-label={`${text}: ${t.saveAll}`}
      onClick={() => void save()}
    >
      <icons.download class="small" />
      {text}
    </button>
  );
}

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
  rule?: SegmentRule | undefined;
  onClose?: () => void;
}) {
  const { appId, question, ask, count, shown = SHOWN, onClose } = props;
  const place = useSignal({ question, cursor: '' });
  const error = useSignal<RequestError | undefined>(undefined);
  // A cursor is of its question.
  const after = place.value.question === question ? place.value.cursor : '';
  const page = useQuery(`behind ${question} ${shown} ${after}`, (signal) =>
    ask({ limit: shown, ...(after && { cursor: after }) }, { signal }),
  );
  const columns: Column<T>[] = [
    {
      label: t.person,
      show: ({ personId }) => visible(personId),
      plain: ({ personId }) => personId,
    },
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
          {props.rule && mayEdit.value && (
            <Button kind="ghost" compact icon={icons.people} href={ruleAddress(appId, props.rule)}>
              {t.asSegment}
            </Button>
          )}
          <SaveAll
            name={props.title}
            count={count}
            columns={columns}
            fetchPage={ask}
            onError={into(error)}
          />
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
              <Table
                caption={props.title}
                rows={people}
                keyOf={({ personId }) => personId}
                rowHref={({ personId }) => personPath(appId, personId)}
                columns={columns}
                csvName={null}
              />
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
