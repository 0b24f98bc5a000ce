import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ComboboxGroup, ComboboxOption } from '../parts/combobox.tsx';
import * as icons from '../parts/icons.ts';
import { usePlace } from '../state/place.ts';
import { type QueryState, useQuery } from '../state/query.ts';
import { palette as t } from '../texts/palette.ts';
import { type Found, type FoundRows, findPeople, findPurchases } from './find.ts';

/** Faster than this between two letters. */
const TYPING_MS = 200;
const LEAST_SEARCH = 2;

function useRested(text: string): string {
  const rested = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      rested.value = text;
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested.value;
}

export type PeopleSearch = {
  search: string;
  isWanted: boolean;
  isLongEnough: boolean;
  people: FoundRows | undefined;
  purchases: FoundRows | undefined;
};

export function usePeopleSearch(search: string, isWanted: boolean): PeopleSearch {
  const { apps = [] } = usePlace();
  const isLongEnough = search.length >= LEAST_SEARCH;
  const isRested = useRested(search) === search;
  const isReady = isWanted && isLongEnough && isRested && apps.length > 0;
  const options = { enabled: isReady };
  const key = `${apps.map(({ id }) => id).join()} ${search}`;
  const people = useQuery(
    `find people ${key}`,
    (signal) => findPeople(apps, search, signal),
    options,
  );
  const purchases = useQuery(
    `find purchases ${key}`,
    (signal) => findPurchases(apps, search, signal),
    options,
  );
  const rowsOf = ({ data, isPrevious }: QueryState<FoundRows>) =>
    isReady && !isPrevious ? data : undefined;
  return {
    search,
    isWanted,
    isLongEnough,
    people: rowsOf(people.value),
    purchases: rowsOf(purchases.value),
  };
}

function FoundGroup(props: {
  heading: string;
  icon: icons.Icon;
  rows: readonly Found[];
  onGo: (href: string) => void;
}) {
  const { icon: Glyph, rows } = props;
  if (rows.length === 0) return null;
  return (
    <ComboboxGroup heading={props.heading}>
      {rows.map((row) => (
        <ComboboxOption key={row.key} onSelect={() => props.onGo(row.href)} class="palette-item">
          <Glyph aria-hidden />
          <span class="palette-text">{row.text}</span>
          <span class="palette-detail">{row.detail}</span>
          {row.note && <span class="palette-note">{row.note}</span>}
        </ComboboxOption>
      ))}
    </ComboboxGroup>
  );
}

export function PeopleRows(props: {
  found: PeopleSearch;
  onWant: () => void;
  onGo: (href: string) => void;
}) {
  const { onWant, onGo } = props;
  const { search, isWanted, isLongEnough, people, purchases } = props.found;
  if (!isWanted && isLongEnough) {
    return (
      <ComboboxGroup heading={t.groups.people}>
        <ComboboxOption onSelect={onWant} class="palette-item">
          <icons.findPerson aria-hidden />
          <span class="palette-text">{t.find(search)}</span>
          <span class="palette-keys">
            <kbd>/</kbd>
          </span>
        </ComboboxOption>
      </ComboboxGroup>
    );
  }
  return (
    <>
      <FoundGroup
        heading={t.groups.purchases}
        icon={icons.purchases}
        rows={purchases?.rows ?? []}
        onGo={onGo}
      />
      <FoundGroup
        heading={t.groups.people}
        icon={icons.person}
        rows={people?.rows ?? []}
        onGo={onGo}
      />
    </>
  );
}

function noticesOf(found: PeopleSearch): readonly string[] {
  const { search, isWanted, isLongEnough, people, purchases } = found;
  if (!isWanted) return [];
  if (!isLongEnough) return [t.findHint];
  if (!people || !purchases) return [t.finding];
  const isNobody = people.rows.length + purchases.rows.length === 0;
  const nobody = isNobody ? [t.nobody(search)] : [];
  return [...new Set([...nobody, ...people.notices, ...purchases.notices])];
}

export const PeopleNotices = ({ found }: { found: PeopleSearch }) => (
  <div class="palette-notices" role="status">
    {noticesOf(found).map((notice) => (
      <p key={notice}>{notice}</p>
    ))}
  </div>
);
