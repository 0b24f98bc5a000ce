import { type Signal, useSignal } from '@preact/signals';
import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import * as icons from '../parts/icons.ts';
import { type PaletteStart, closePalette } from '../state/palette.ts';
import { usePlace } from '../state/place.ts';
import { useQuery } from '../state/query.ts';
import { keepRecent, recentKeys } from '../state/recent.ts';
import { palette as t } from '../texts/palette.ts';
import { type Entry, typedSections, untypedSections } from './entries.ts';
import { type Found, type FoundAll, findEverywhere } from './find.ts';
import { looksLikeId, rank } from './rank.ts';
import { useEntries } from './use-entries.ts';

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

const NOTHING: FoundAll = { people: [], purchases: [], notices: [] };

function useFound(search: string, isWanted: boolean) {
  const { apps = [] } = usePlace();
  const rested = useRested(search);
  const isReady = isWanted && rested === search && search.length >= LEAST_SEARCH;
  const query = useQuery(`find ${search}`, (signal) => findEverywhere(apps, search, signal), {
    enabled: isReady && apps.length > 0,
  });
  const { data, isPrevious } = query.value;
  const isThere = isReady && data !== undefined && !isPrevious;
  return { found: isThere ? data : NOTHING, isThere };
}

function EntryRow({ entry, onTake }: { entry: Entry; onTake: (entry: Entry) => void }) {
  const { icon: Glyph } = entry;
  return (
    <CommandItem value={entry.key} onSelect={() => onTake(entry)} class="palette-item">
      <Glyph aria-hidden />
      <span class="palette-text">{entry.text}</span>
      {entry.detail && <span class="palette-detail">{entry.detail}</span>}
      {entry.keys && (
        <span class="palette-keys">
          {entry.keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </CommandItem>
  );
}

function FoundRows(props: {
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

/** People and purchases: what was found, or the row that searches for it. */
function People(props: {
  search: string;
  isWanted: boolean;
  onWant: () => void;
  onGo: (href: string) => void;
}) {
  const { search, isWanted, onGo } = props;
  const { found, isThere } = useFound(search, isWanted);
  if (search.length < LEAST_SEARCH) {
    return isWanted ? <p class="palette-notice">{t.findHint}</p> : null;
  }
  if (!isWanted) {
    return (
      <CommandGroup heading={t.groups.people}>
        <CommandItem value="find people" onSelect={props.onWant} class="palette-item">
          <icons.findPerson aria-hidden />
          <span class="palette-text">{t.find(search)}</span>
          <span class="palette-keys">
            <kbd>/</kbd>
          </span>
        </CommandItem>
      </CommandGroup>
    );
  }
  const isNobody = isThere && found.people.length + found.purchases.length === 0;
  return (
    <>
      <FoundRows heading={t.groups.people} icon={icons.person} rows={found.people} onGo={onGo} />
      <FoundRows
        heading={t.groups.purchases}
        icon={icons.purchases}
        rows={found.purchases}
        onGo={onGo}
      />
      <div role="status">
        {!isThere && <p class="palette-notice">{t.finding}</p>}
        {isNobody && <p class="palette-notice">{t.nobody(search)}</p>}
        {found.notices.map((notice) => (
          <p key={notice} class="palette-notice">
            {notice}
          </p>
        ))}
      </div>
    </>
  );
}

function Entries({ typed, onTake }: { typed: string; onTake: (entry: Entry) => void }) {
  const entries = useEntries();
  const recent = useSignal(recentKeys());
  const sections =
    typed === '' ? untypedSections(entries, recent.value) : typedSections(rank(entries, typed));
  return (
    <>
      {sections.map(({ name, entries: shown }) => (
        <CommandGroup key={name} heading={t.groups[name]}>
          {shown.map((entry) => (
            <EntryRow key={entry.key} entry={entry} onTake={onTake} />
          ))}
        </CommandGroup>
      ))}
    </>
  );
}

/** Pages, funnels, views, acts, people and purchases of every app, by the keyboard. */
export function Palette({ start, text }: { start: PaletteStart; text: Signal<string> }) {
  const { route } = useLocation();
  const isForPeople = useSignal(start === 'people');
  const typed = text.value.trim();
  const isWanted = isForPeople.value || looksLikeId(typed);
  const go = (href: string) => {
    closePalette();
    route(href);
  };
  const take = (entry: Entry) => {
    keepRecent(entry.key);
    if (entry.href !== undefined) go(entry.href);
    else {
      closePalette();
      entry.run?.();
    }
  };
  return (
    <CommandRoot label={t.label} shouldFilter={false} loop class="palette-command">
      <div class="palette-head">
        <icons.search aria-hidden />
        <CommandInput
          value={text.value}
          onValueChange={(next) => {
            text.value = next;
          }}
          placeholder={t.placeholder[isForPeople.value ? 'people' : 'all']}
        />
        <kbd>{t.escape}</kbd>
      </div>
      <CommandList class="palette-list" label={t.label}>
        {!isForPeople.value && <Entries typed={typed} onTake={take} />}
        <People
          search={typed}
          isWanted={isWanted}
          onWant={() => {
            isForPeople.value = true;
          }}
          onGo={go}
        />
      </CommandList>
    </CommandRoot>
  );
}
