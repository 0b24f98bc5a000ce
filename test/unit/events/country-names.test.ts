import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { toCountry } from '../../../src/modules/events/imports/country.ts';

/** As GeoIP tables, Google, ISO 3166 and people write them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  AX: ['Åland Islands', 'Aland Islands', 'Åland'],
  BA: ['Bosnia and Herzegovina', 'Bosnia & Herzegovina'],
  BN: ['Brunei', 'Brunei Darussalam'],
  BO: ['Bolivia', 'Bolivia, Plurinational State of', 'Bolivia (Plurinational State of)'],
  BQ: ['Caribbean Netherlands', 'Bonaire, Sint Eustatius, and Saba'],
  BS: ['Bahamas', 'The Bahamas', 'Bahamas, The'],
  CD: [
    'DR Congo',
    'Congo - Kinshasa',
    'Congo, The Democratic Republic of the',
    'Democratic Republic of the Congo',
    'Congo, Dem. Rep. of the',
    'Congo, Democratic Republic',
    'Dem. Rep. of the Congo',
    'Congo (Zaire)',
  ],
  CG: ['Congo', 'Republic of the Congo', 'Congo - Brazzaville', 'Congo Republic'],
  CI: ['Ivory Coast', "Côte d'Ivoire", 'Côte d’Ivoire', "Cote d'Ivoire"],
  CN: ['China', "People's Republic of China"],
  CV: ['Cabo Verde', 'Cape Verde'],
  CW: ['Curaçao', 'Curacao'],
  CZ: ['Czechia', 'Czech Republic'],
  DE: ['Germany', 'germany', ' Germany ', 'Federal Republic of Germany', 'DE'],
  FK: ['Falkland Islands', 'Falkland Islands (Malvinas)'],
  FM: ['Micronesia', 'Federated States of Micronesia', 'Micronesia, Federated States of'],
  GB: [
    'United Kingdom',
    'Great Britain',
    'UK',
    'United Kingdom of Great Britain and Northern Ireland',
    'Northern Ireland',
    'Ireland (Northern)',
  ],
  GE: ['Georgia'],
  GM: ['Gambia', 'The Gambia', 'Gambia (The)'],
  GW: ['Guinea-Bissau', 'Guinea Bissau'],
  GL: ['Greenland', 'Denmark (Greenland)', 'Greenland (Denmark)'],
  HK: [
    'Hong Kong',
    'Hong Kong SAR China',
    'China, Hong Kong Special Administrative Region',
    'China (Hong Kong)',
    'Hong Kong (China)',
  ],
  IE: ['Ireland', 'Republic of Ireland'],
  IR: [
    'Iran',
    'Iran, Islamic Republic of',
    'Islamic Republic of Iran',
    'Iran (Islamic Republic of)',
  ],
  JO: ['Jordan', 'Hashemite Kingdom of Jordan'],
  KN: ['St Kitts and Nevis', 'Saint Kitts and Nevis', 'St. Kitts & Nevis'],
  KP: [
    'Korea, Dem. People’s Rep.',
    'North Korea',
    "Korea, Democratic People's Republic of",
    'Korea (North)',
    'Korea, D.P.R. of',
    'Korea (DPRK)',
    "Korea, Democratic People's Rep. of",
    "People's Democratic Republic of Korea",
  ],
  KR: [
    'South Korea',
    'Korea, Republic of',
    'Republic of Korea',
    'Korea',
    'Korea (the Republic of)',
  ],
  LA: ['Laos', "Lao People's Democratic Republic"],
  MD: ['Moldova', 'Republic of Moldova', 'Moldova, Republic of'],
  MF: ['Saint Martin', 'St. Martin', 'Saint Martin (French part)'],
  MK: ['North Macedonia', 'Macedonia', 'Macedonia, the former Yugoslav Republic of'],
  MM: ['Myanmar', 'Burma', 'Myanmar (Burma)'],
  MO: ['Macau', 'Macao', 'Macao SAR China', 'China, Macao SAR', 'Macau (China)'],
  NL: ['Netherlands', 'The Netherlands', 'Holland'],
  PH: ['Philippines', 'The Philippines'],
  PS: ['Palestine', 'Palestinian Territories', 'Palestine, State of', 'Palestinian Territory'],
  JP: ['Japan', 'JPN'],
  RE: ['Réunion', 'Reunion'],
  RU: ['Russia', 'Russian Federation'],
  ST: ['São Tomé and Príncipe', 'Sao Tome and Principe', 'São Tomé & Príncipe'],
  SX: ['Sint Maarten', 'Sint Maarten (Dutch part)', 'Saint Martin (Dutch part)'],
  SY: ['Syria', 'Syrian Arab Republic'],
  SZ: ['Eswatini', 'Swaziland'],
  TL: ['Timor-Leste', 'East Timor'],
  TR: ['Turkey', 'Türkiye', 'Turkiye', 'Republic of Türkiye'],
  TW: ['Taiwan', 'Taiwan, Province of China', 'China (Taiwan)', 'China, Taiwan Province of'],
  TZ: ['Tanzania', 'Tanzania, United Republic of', 'United Republic of Tanzania'],
  US: ['United States', 'United States of America', 'USA', 'U.S.A.', 'US', 'The United States'],
  VA: ['Vatican City', 'Holy See (Vatican City State)', 'Holy See'],
  VC: ['St Vincent and Grenadines', 'Saint Vincent and the Grenadines'],
  VE: ['Venezuela', 'Venezuela, Bolivarian Republic of'],
  VG: ['British Virgin Islands', 'Virgin Islands, British'],
  VI: ['U.S. Virgin Islands', 'Virgin Islands, U.S.', 'US Virgin Islands'],
  VN: ['Vietnam', 'Viet Nam', 'VNM'],
  XK: ['Kosovo'],
};

test('a name of a country is its two letters', () => {
  const wrong = Object.entries(NAMES).flatMap(([code, names]) =>
    names.filter((name) => toCountry(name) !== code).map((name) => [name, toCountry(name)]),
  );
  expect(wrong).toEqual([]);
});

test('what is no country is none, and two letters stay', () => {
  for (const name of [
    '',
    ' ',
    '-',
    '(not set)',
    'Unknown',
    'Atlantis',
    'European Union',
    'Europe',
  ]) {
    expect(toCountry(name)).toBeUndefined();
  }
  expect(toCountry('de')).toBe('de');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toCountry(text) ?? 'DE').toMatch(/^[A-Za-z]{2}$/);
    }),
  );
});
