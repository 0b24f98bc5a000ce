import { useRoute } from 'preact-iso';
import { Button } from '../../parts/button.tsx';
import * as icons from '../../parts/icons.ts';
import { Page } from '../../parts/page.tsx';
import { SearchForm } from '../../parts/search-form.tsx';
import { useSetting } from '../../state/address.ts';
import { useTimezone } from '../../state/timezone.ts';
import { people as t } from '../../texts/people.ts';
import { ById, ByPurchase } from './found.tsx';
import { SeenLast } from './seen-last.tsx';

export function People() {
  const appId = useRoute().params.id ?? '';
  const zone = useTimezone(appId);
  const [search, setSearch] = useSetting('search', '');
  return (
    <Page
      question={t.question}
      help="console#people"
      toolbar={{
        left: (
          <>
            <SearchForm
              label={t.search}
              hint={t.searchHint}
              value={search}
              maxLength={128}
              onSearch={setSearch}
              class="people-search"
            >
              <Button type="submit">{t.find}</Button>
            </SearchForm>
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
