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
import * as icons from './icons.ts';
import { type Column, saveRows } from './table.tsx';

export type FetchPage<T> = (
  query: PageQuery,
  options: { signal?: AbortSignal },
) => Promise<ListPage<T>>;

export function SaveAll<T>(props: {
  name: string;
  count: number | undefined;
  columns: readonly Column<T>[];
  fetchPage: FetchPage<T>;
  onError: (error: RequestError | undefined) => void;
}) {
  const isSaving = useSignal(false);
  const { app } = useDrawnPlace();
  const timezone = useTimezone(app?.id);
  const text = t.all(props.count === undefined ? '' : exactNumber(props.count));
  const save = async () => {
    isSaving.value = true;
    props.onError(undefined);
    try {
      const all = await readAllPages((query) => props.fetchPage(query, {}));
      const day = dayOf(Date.now(), timezone);
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
