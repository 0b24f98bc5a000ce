import type { Operations } from '../../../clients/api/src/index.ts';
import { VERSION } from '../state/filter-rules.ts';
import { looks as t } from '../texts/looks.ts';
import * as icons from './icons.ts';
import type { Look } from './looks.tsx';

export type Recommendation = Operations['getInsights']['output']['recommendations'][number];
type Code = Recommendation['code'];

type Place = {
  icon: icons.Icon;
  path: string;
  link: string;
};

const funnel = (icon: icons.Icon, query = ''): Place => ({
  icon,
  path: `funnels${query}`,
  link: t.links.funnel,
});

const PLACES: Record<Code, Place> = {
  events_not_arriving: { icon: icons.connections, path: 'connect', link: t.links.connect },
  store_days_missing: { icon: icons.late, path: '/sales', link: t.links.sales },
  too_few_people: funnel(icons.people),
  biggest_leak: funnel(icons.funnels, '?compare=previous'),
  paywall_before_value: funnel(icons.funnels),
  trial_not_offered: { icon: icons.subscribers, path: 'subscribers', link: t.links.subscribers },
  conversion_falling: funnel(icons.falling, '?compare=previous'),
  version_reviews: { icon: icons.version, path: 'storefront', link: t.links.reviews },
  version_conversion: funnel(icons.version, `?breakdown=${VERSION}`),
  refunds_rising: { icon: icons.refunded, path: '/sales?measure=refunds', link: t.links.sales },
  country_buys_but_does_not_convert: funnel(icons.country, '?breakdown=country'),
  consent_rescinded: { icon: icons.people, path: 'purchases', link: t.links.notices },
  external_purchase_token: { icon: icons.price, path: 'purchases', link: t.links.notices },
};

/** Where this console does not know one yet. */
const ELSEWHERE: Place = { icon: icons.activity, path: 'today', link: t.links.today };

export const RULES = Object.keys(PLACES).length;

const placeOf = (code: string): Place =>
  Object.entries(PLACES).find(([name]) => name === code)?.[1] ?? ELSEWHERE;

const TONES = { act: 'bad', warn: 'warn', info: undefined } as const;

function withRange(path: string, carried: string): string {
  if (!carried) return path;
  return path.includes('?') ? `${path}&${carried.slice(1)}` : `${path}${carried}`;
}

export function recommendationLook(
  appId: string,
  { code, severity, title, detail }: Recommendation,
  carried: string,
): Look {
  const { icon, path, link } = placeOf(code);
  const whole = path.startsWith('/') ? path : `/apps/${appId}/${path}`;
  return {
    key: `${appId} ${code} ${title}`,
    icon,
    tone: TONES[severity],
    title,
    text: detail,
    link: { href: withRange(whole, carried), text: link },
  };
}
