import { useRoute } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { useSetting } from '../../state/address.ts';
import { useTimezone } from '../../state/timezone.ts';
import { people as t } from '../../texts/people.ts';
import { ById, ByPurchase } from './found.tsx';
import { SeenLast } from './seen-last.tsx';

function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const find = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    onSearch(String(new FormData(form).get('search') ?? '').trim());
  };
  return (
    <form class="search-field people-search" onSubmit={find}>
      <icons.search aria-hidden="true" class="small" />
      <input
        key={value}
        type="search"
        name="search"
        maxLength={128}
        autocomplete="off"
        aria-label={t.search}
        placeholder={t.searchHint}
        title={t.searchHint}
        defaultValue={value}
      />
      <Button type="submit">{t.find}</Button>
    </form>
  );
}

export function People() {
  const { params } = useRoute();
  const appId = params.id ?? '';
  const zone = useTimezone(appId);
  const [search, setSearch] = useSetting('search', '');
  return (
    <Page
      title={t.title}
      question={t.question}
      help="console#people"
      toolbar={{
        left: (
          <>
            <SearchField value={search} onSearch={setSearch} />
            {search && (
              <Button kind="ghost" icon={icons.close} onClick={() => setSearch('')}>
                {t.everybody}
              </Button>
            )}
          </>
        ),
      }}
      foot={[t.foot.zone(zone), search ? null : t.foot.seen]}
    >
      {search ? (
        <>
          <ById appId={appId} search={search} zone={zone} />
          <ByPurchase appId={appId} search={search} />
        </>
      ) : (
        <SeenLast appId={appId} />
      )}
    </Page>
  );
}
