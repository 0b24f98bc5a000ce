import { CONSOLE_PAGES, type PageName, type TabGroup } from '../../shared/console-pages.ts';
import { useLinks } from '../state/place.ts';
import { texts } from '../texts/index.ts';

export function PageTabs({ group, current }: { group: TabGroup; current: PageName }) {
  const linkTo = useLinks();
  return (
    <nav class="page-tabs" aria-label={texts.nav[group]}>
      {CONSOLE_PAGES.filter((page) => page.group === group).map(({ name }) => {
        const href = linkTo(name);
        return (
          href && (
            <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
              {texts.nav[name]}
            </a>
          )
        );
      })}
    </nav>
  );
}
