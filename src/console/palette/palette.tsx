import { type Signal, useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import {
  Combobox,
  ComboboxGroup,
  ComboboxInput,
  ComboboxList,
  ComboboxOption,
} from '../parts/combobox.tsx';
import * as icons from '../parts/icons.ts';
import { PAGE_ICONS } from '../parts/page-icons.ts';
import { looksLikeId, rank } from '../rank.ts';
import { closePalette, type PaletteStart } from '../state/palette.ts';
import { into, turn } from '../state/signals.ts';
import { palette as t } from '../texts/palette.ts';
import { type ActIcon, type Entry, typedSections, untypedSections } from './entries.ts';
import { PeopleNotices, PeopleRows, usePeopleSearch } from './people.tsx';
import { useEntries } from './use-entries.ts';

const KEY = 'palette recent';
const KEPT = 12;

const isText = (value: unknown): value is string => typeof value === 'string';

/** People are never kept. */
function recentKeys(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isText) : [];
  } catch {
    return [];
  }
}

function keepRecent(key: string): void {
  try {
    const next = [key, ...recentKeys().filter((one) => one !== key)].slice(0, KEPT);
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Without storage nothing is recent.
  }
}

const ACT_ICONS: Record<ActIcon, icons.Icon> = {
  add: icons.add,
  download: icons.download,
  pin: icons.pin,
  link: icons.link,
  keyboard: icons.keyboard,
  signOut: icons.signOut,
};

const iconOf = ({ icon }: Entry): icons.Icon => ({ ...PAGE_ICONS, ...ACT_ICONS })[icon];

function EntryRow({ entry, onTake }: { entry: Entry; onTake: (entry: Entry) => void }) {
  const Glyph = iconOf(entry);
  return (
    <ComboboxOption onSelect={() => onTake(entry)} class="palette-item">
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
    </ComboboxOption>
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
        <ComboboxGroup key={name} heading={t.groups[name]}>
          {shown.map((entry) => (
            <EntryRow key={entry.key} entry={entry} onTake={onTake} />
          ))}
        </ComboboxGroup>
      ))}
    </>
  );
}

export function Palette({ start, text }: { start: PaletteStart; text: Signal<string> }) {
  const { route } = useLocation();
  const isForPeople = useSignal(start === 'people');
  const typed = text.value.trim();
  const found = usePeopleSearch(typed, isForPeople.value || looksLikeId(typed));
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
  const backToAll = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && text.value === '') isForPeople.value = false;
  };
  return (
    <Combobox label={t.label} search={text.value} class="palette-command">
      <div class="palette-head">
        <icons.search aria-hidden />
        <ComboboxInput
          value={text.value}
          onValue={into(text)}
          onKeyDown={backToAll}
          placeholder={t.placeholder[isForPeople.value ? 'people' : 'all']}
        />
        <kbd>{t.escape}</kbd>
      </div>
      <ComboboxList class="palette-list">
        {!isForPeople.value && <Entries typed={typed} onTake={take} />}
        <PeopleRows found={found} onWant={turn(isForPeople, true)} onGo={go} />
      </ComboboxList>
      <PeopleNotices found={found} />
    </Combobox>
  );
}
