import { useSignal } from '@preact/signals';
import { exactNumber } from '../format.ts';
import { type ListPage, type PageQuery, readAllPages } from '../state/all-pages.ts';
import { type RequestError, toRequestError } from '../state/api.ts';
import { dayOf } from '../state/days.ts';
import { type Behind, ruleAddress, ruleOfPeople } from '../state/people-rule.ts';
import { useDrawnPlace } from '../state/place.ts';
import { shortNameOf } from '../state/short-name.ts';
import { useTimezone } from '../state/timezone.ts';
import { saving as t } from '../texts/saving.ts';
import { segmentOfPeople } from '../texts/segment-of-people.ts';
import { Button } from './button.tsx';
import { readFacts, SAVED_FACTS, SHOWN_FACTS, useFacts, type WithFacts } from './facts-columns.tsx';
import * as icons from './icons.ts';
import { personPath } from './person-link.tsx';
import { type Column, saveRows, Table } from './table.tsx';

export type FetchPage<T> = (
  query: PageQuery,
  options: { signal?: AbortSignal },
) => Promise<ListPage<T>>;

export function SaveAll<T extends { personId: string }>(props: {
  appId: string;
  name: string;
  count: number | undefined;
  columns: readonly Column<WithFacts<T>>[];
  fetchPage: FetchPage<T>;
  onError: (error: RequestError | undefined) => void;
}) {
  const isSaving = useSignal(false);
  const { appId } = props;
  const { app } = useDrawnPlace();
  const timezone = useTimezone(appId);
  const text = t.all(props.count === undefined ? '' : exactNumber(props.count));
  const save = async () => {
    isSaving.value = true;
    props.onError(undefined);
    try {
      const all = await readFacts(appId, await readAllPages((query) => props.fetchPage(query, {})));
      const columns = [...props.columns, ...SAVED_FACTS];
      const day = dayOf(Date.now(), timezone);
      saveRows(shortNameOf(`${app?.displayName ?? ''} ${props.name} ${day}`), columns, all);
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

export function SaveAsSegment({ appId, behind }: { appId: string; behind: Behind }) {
  const saved = ruleOfPeople(behind, useTimezone(appId));
  const where =
    'rule' in saved
      ? { href: ruleAddress(appId, saved.rule) }
      : { disabledWhy: segmentOfPeople.whyNot[saved.why] };
  return (
    <Button kind="ghost" compact icon={icons.people} {...where}>
      {t.asSegment}
    </Button>
  );
}

export function People<T extends { personId: string }>(props: {
  appId: string;
  caption: string;
  people: readonly T[];
  columns: readonly Column<WithFacts<T>>[];
}) {
  const { appId, caption, people, columns } = props;
  return (
    <Table
      caption={caption}
      rows={useFacts(appId, people)}
      keyOf={({ personId }) => personId}
      rowHref={({ personId }) => personPath(appId, personId)}
      columns={[...columns, ...SHOWN_FACTS]}
      csvName={null}
    />
  );
}
