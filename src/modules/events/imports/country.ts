import { memoized } from '../../../shared/memoized.ts';
import { countryOfStorefront } from '../../../shared/storefront.ts';

const NO_COUNTRIES = new Set(
  'EU EZ QO UN XA XB ZZ AN BU CS DD DY FX HV NH RH SU TP UK VD YD YU ZR'.split(' '),
);

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  AE: ['uae'],
  AS: ['samoa american'],
  AX: ['aland'],
  BA: ['bosnia herzegovina'],
  BN: ['brunei darussalam'],
  BQ: ['bonaire', 'bonaire sint eustatius and saba'],
  CC: ['cocos islands', 'keeling islands'],
  CD: [
    'congo democratic republic of',
    'democratic republic of congo',
    'congo kinshasa',
    'dr congo',
    'congo dr',
    'congo drc',
    'congo dem rep',
    'drc',
    'zaire',
  ],
  CG: ['congo', 'congo brazzaville', 'congo republic'],
  CI: ['ivory coast', 'cote d ivoire'],
  CN: ['mainland china'],
  CV: ['cabo verde'],
  CZ: ['czech republic'],
  FK: ['falkland islands malvinas', 'malvinas'],
  FM: ['federated states of micronesia'],
  FO: ['faeroe islands'],
  GB: ['great britain', 'uk', 'great britain and northern ireland'],
  GQ: ['guinea equatorial'],
  GS: ['south georgia'],
  HK: ['hong kong sar', 'hong kong china'],
  HM: ['heard island and mcdonald islands'],
  KG: ['kyrgyz republic'],
  KP: [
    'democratic peoples republic of korea',
    'korea democratic peoples republic of',
    'korea north',
    'korea dem peoples rep',
    'dprk',
  ],
  KR: ['korea', 'korea south'],
  LA: ['lao', 'lao peoples democratic republic', 'lao pdr'],
  LY: ['libyan arab jamahiriya'],
  MK: ['macedonia', 'fyrom', 'former yugoslav republic of macedonia'],
  MM: ['burma'],
  MO: ['macau', 'macao sar', 'macau sar china'],
  NL: ['holland'],
  PN: ['pitcairn'],
  PS: ['palestine', 'palestinian territory', 'palestinian territory occupied'],
  RE: ['reunion island'],
  RU: ['russian federation'],
  SH: ['saint helena ascension and tristan da cunha'],
  SK: ['slovak republic'],
  SS: ['sudan south'],
  ST: ['sao tome'],
  SY: ['syrian arab republic'],
  SZ: ['swaziland'],
  TL: ['east timor', 'timor'],
  TR: ['turkey', 'turkiye'],
  TW: ['republic of china', 'chinese taipei', 'taiwan roc'],
  UM: ['united states minor outlying islands', 'us minor outlying islands'],
  US: ['united states of america', 'usa', 'america'],
  VA: ['holy see', 'holy see vatican city state', 'vatican'],
  VC: ['saint vincent and grenadines', 'saint vincent'],
  VG: ['virgin islands british'],
  VI: ['us virgin islands', 'united states virgin islands', 'virgin islands us'],
  VN: ['viet nam'],
  WF: ['wallis and futuna islands'],
};

const toKey = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\p{M}'’.]/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(/\bthe\b/g, ' ')
    .replaceAll(/\bst\b/g, 'saint')
    .replaceAll(/\s+/g, ' ')
    .trim();

function tabulate(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  for (const code of letters.flatMap((one) => letters.map((other) => one + other))) {
    for (const style of NO_COUNTRIES.has(code) ? [] : (['long', 'short'] as const)) {
      const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none', style });
      const name = names.of(code);
      if (name === undefined) continue;
      codes.set(toKey(name), code);
      codes.set(toKey(name.replaceAll(/\(.*?\)/g, '')), code);
    }
  }
  for (const [code, names] of Object.entries(ALIASES)) {
    for (const name of names) codes.set(name, code);
  }
  return codes;
}

let table: ReadonlyMap<string, string> | undefined;

/** `Korea, Republic of`, `Iran (Islamic Republic of)`. */
const AFTER_NAME = /\(.*$|,(?=.*\b(of|the|province|rep|sts|rb)\b).*$/i;
const BEFORE_NAME =
  /^.*\b(republic|kingdom|states?|union|commonwealth|federation|duchy|principality|sultanate) of /;

const findCode = memoized((name): string | null => {
  table ??= tabulate();
  const whole = toKey(name);
  const short = toKey(name.replace(AFTER_NAME, ''));
  const found = table.get(whole) ?? table.get(short) ?? table.get(whole.replace(BEFORE_NAME, ''));
  return found ?? countryOfStorefront(name) ?? (/^[A-Za-z]{2}$/.test(name) ? name : null);
});

export const toCountry = (sent: string): string | undefined => findCode(sent.trim()) ?? undefined;
