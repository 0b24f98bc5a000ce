import { useSignal } from '@preact/signals';
import { CommandGroup, CommandItem } from 'cmdk';
import { useEffect } from 'preact/hooks';
import * as icons from '../parts/icons.ts';
import { usePlace } from '../state/place.ts';
import { useQuery } from '../state/query.ts';
import { palette as t } from '../texts/palette.ts';
import { type Found, type FoundAll, findEverywhere } from './find.ts';

/** One types faster than this between two letters. */
const TYPING_MS = 200;
const LEAST_SEARCH = 2;

/** What was typed, once the reader rests. */
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
  /** Looked for; until then a row offers it. */
  isWanted: boolean;
  isLongEnough: boolean;
  /** Undefined while it is on its way. */
  found: FoundAll | undefined;
};

/** People and purchases of every app that fit what was typed, once they are wanted. */
export function usePeopleSearch(search: string, isWanted: boolean): PeopleSearch {
  const { apps = [] } = usePlace();
  const isLongEnough = search.length >= LEAST_SEARCH;
  const isRested = useRested(search) === search;
  const isReady = isWanted && isLongEnough && isRested && apps.length > 0;
  const query = useQuery(`find ${search}`, (signal) => findEverywhere(apps, search, signal), {
    enabled: isReady,
  });
  const { data, isPrevious } = query.value;
  return { search, isWanted, isLongEnough, found: isReady && !isPrevious ? data : undefined };
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
    <CommandGroup heading={props.heading}>
      {rows.map((row) => (
        <CommandItem
          key={row.key}
          value={row.key}
          onSelect={() => props.onGo(row.href)}
          class="palette-item"
        >
          <Glyph aria-hidden />
          <span class="palette-text">{row.text}</span>
          <span class="palette-detail">{row.detail}</span>
          {row.note && <span class="palette-note">{row.note}</span>}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}

/** What was found, or the row that looks for it. */
export function PeopleRows(props: {
  people: PeopleSearch;
  onWant: () => void;
  onGo: (href: string) => void;
}) {
  const { people, onWant, onGo } = props;
  const { search, isWanted, isLongEnough, found } = people;
  if (!isWanted && isLongEnough) {
    return (
      <CommandGroup heading={t.groups.people}>
        <CommandItem value="find people" onSelect={onWant} class="palette-item">
          <icons.findPerson aria-hidden />
          <span class="palette-text">{t.find(search)}</span>
          <span class="palette-keys">
            <kbd>/</kbd>
          </span>
        </CommandItem>
      </CommandGroup>
    );
  }
  if (!found) return null;
  return (
    <>
      <FoundGroup heading={t.groups.people} icon={icons.person} rows={found.people} onGo={onGo} />
      <FoundGroup
        heading={t.groups.purchases}
        icon={icons.purchases}
        rows={found.purchases}
        onGo={onGo}
      />
    </>
  );
}

function noticesOf({ search, isWanted, isLongEnough, found }: PeopleSearch): readonly string[] {
  if (!isWanted) return [];
  if (!isLongEnough) return [t.findHint];
  if (!found) return [t.finding];
  const isNobody = found.people.length + found.purchases.length === 0;
  return [...(isNobody ? [t.nobody(search)] : []), ...found.notices];
}

/** How the search for people stands, below the list. */
export const PeopleNotices = ({ people }: { people: PeopleSearch }) => (
  <div class="palette-notices" role="status">
    {noticesOf(people).map((notice) => (
      <p key={notice}>{notice}</p>
    ))}
  </div>
);
