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
  CD: ['drc', 'zaire'],
  CG: ['congo', 'congo brazzaville', 'congo republic'],
  CI: ['ivory coast', 'cote d ivoire'],
  CN: ['mainland china'],
  CV: ['cabo verde'],
  CZ: ['czech republic'],
  FK: ['falkland islands malvinas', 'malvinas'],
  FM: ['federated states of micronesia'],
  FO: ['faeroe islands'],
  GB: [
    ...['great britain', 'uk', 'great britain and northern ireland', 'northern ireland'],
    ...['ireland northern', 'england', 'scotland', 'wales'],
  ],
  GQ: ['guinea equatorial'],
  GS: ['south georgia'],
  HK: ['hong kong sar', 'hong kong china'],
  HM: ['heard island and mcdonald islands'],
  KG: ['kyrgyz republic'],
  KP: ['dprk'],
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
  SX: ['saint martin dutch part'],
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

/** `Iran (Islamic Republic of)`, `China, Hong Kong SAR`. */
const AFTER_NAME = /\((.*)$|,(?=.*\b(?:of|the|province|rep|sts|rb|sar|special)\b)(.*)$/i;
const OF_A_STATE = /\b(province|of|sar|special|administrative|region)\b/g;
const WITH_TERRITORIES = new Set('AU CN DK ES FI FR GB NL NO NZ US'.split(' '));
const DEMOCRATIC: readonly (readonly [RegExp, string])[] = [
  [/^(?=.*\bcongo\b).*\b(dem|democratic|dr|drc|kinshasa|zaire)\b/, 'CD'],
  [/^(?=.*\bkorea\b).*\b(dem|democratic|dpr|dprk|north|peoples)\b/, 'KP'],
];
const BEFORE_NAME =
  /^.*\b(republic|kingdom|states?|union|commonwealth|federation|duchy|principality|sultanate) of /;

function inParts(name: string, codes: ReadonlyMap<string, string>): string | undefined {
  const [, inBrackets, afterComma = ''] = AFTER_NAME.exec(name) ?? [];
  const part = toKey(inBrackets ?? afterComma)
    .replaceAll(OF_A_STATE, '')
    .trim();
  const found = [codes.get(toKey(name.replace(AFTER_NAME, ''))), codes.get(part)];
  const known = found.filter((code) => code !== undefined);
  return known.find((code) => !WITH_TERRITORIES.has(code)) ?? known[0];
}

const findCode = memoized((name): string | null => {
  table ??= tabulate();
  const whole = toKey(name);
  const found =
    table.get(whole) ??
    DEMOCRATIC.find(([pattern]) => pattern.test(whole))?.[1] ??
    inParts(name, table) ??
    table.get(whole.replace(BEFORE_NAME, ''));
  return found ?? countryOfStorefront(name) ?? (/^[A-Za-z]{2}$/.test(name) ? name : null);
});

export const toCountry = (sent: string): string | undefined => findCode(sent.trim()) ?? undefined;
