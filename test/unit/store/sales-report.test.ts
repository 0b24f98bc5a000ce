import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ReportFormatError } from '../../../src/providers/store/port.ts';
import { salesReader } from '../../../src/providers/store/report/sales.ts';
import { salesReportText } from '../../simulators/store/report.ts';
import { readWhole } from '../../support/reports.ts';

const DAY = '2026-03-08';
const parseSalesReport = (text: string, day: string) => readWhole(salesReader(day), text);
const row = (values: Record<string, string> = {}) => ({
  SKU: 'ACME',
  Title: 'Acme',
  'Product Type Identifier': '1F',
  Units: '1.00',
  'Developer Proceeds': '0',
  'Begin Date': '03/08/2026',
  'Customer Currency': 'USD',
  'Country Code': 'US',
  'Currency of Proceeds': 'USD',
  'Apple Identifier': '6754688919',
  'Customer Price': '0',
  Device: 'iPhone',
  ...values,
});
const parse = (...rows: Record<string, string>[]) =>
  parseSalesReport(salesReportText(rows, 'common'), DAY);

test('an amount of a million millions is the largest', () => {
  const of = (amount: string) => parse(row({ Units: '1', 'Developer Proceeds': amount }));
  expect(of('1000000000000')[0]?.proceeds).toBe('1000000000000');
  expect(() => of('1000000000000.01')).toThrow(ReportFormatError);
});

describe('signs', () => {
  test("a refund as the store's own sample writes it takes money out on both sides", () => {
    const [fact] = parse(
      row({ Units: '-50', 'Developer Proceeds': '.7', 'Customer Price': '-0.99' }),
    );
    expect(fact).toMatchObject({ units: '-50', proceeds: '-35', customerSpend: '-49.5' });
  });

  test('a sale adds on both sides', () => {
    const [fact] = parse(
      row({ Units: '3', 'Developer Proceeds': '0.70', 'Customer Price': '0.99' }),
    );
    expect(fact).toMatchObject({ units: '3', proceeds: '2.1', customerSpend: '2.97' });
  });

  test('a bundle credit is marked, whatever its letters', () => {
    const [credit, member, plain] = parse(
      row({ CMB: 'CMB-C', Units: '-1' }),
      row({ CMB: 'CMB' }),
      row(),
    );
    expect(credit?.bundleCredit).toBe(true);
    expect(member?.bundleCredit).toBe(false);
    expect(plain?.bundleCredit).toBe(false);
  });

  test('both amounts always carry the sign of the units', () => {
    const cents = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(fc.integer({ min: -999, max: 999 }), cents, cents, (units, proceeds, price) => {
        const paid = units < 0 ? -price : price;
        const [fact] = parse(
          row({
            Units: `${units}.00`,
            'Developer Proceeds': (proceeds / 100).toFixed(2),
            'Customer Price': (paid / 100).toFixed(2),
          }),
        );
        expect(Math.round(Number(fact?.proceeds) * 100)).toBe(units * proceeds);
        expect(Math.round(Number(fact?.customerSpend) * 100)).toBe(units * price);
      }),
    );
  });
});

describe('columns', () => {
  const rows = [
    row({
      Units: '2',
      Device: 'iPad',
      'Supported Platforms': 'iOS',
      'Proceeds Reason': 'Rate After One Year',
      'Preserved Pricing': 'Yes',
      'Parent Identifier': 'PARENT',
    }),
  ];

  test('both orders in circulation, and more columns, say the same', () => {
    const common = parseSalesReport(salesReportText(rows, 'common'), DAY);
    expect(parseSalesReport(salesReportText(rows, 'variant'), DAY)).toEqual(common);
    const wide = salesReportText(rows, 'common').replace(/\n/g, '\tnew\n');
    expect(parseSalesReport(wide, DAY)).toEqual(common);
    expect(common[0]).toMatchObject({ device: 'iPad', parentSku: 'PARENT' });
  });

  test('an old report that ends at the parent identifier is read', () => {
    const old = salesReportText(rows, 'common')
      .split('\n')
      .map((line) => line.split('\t').slice(0, 18).join('\t'))
      .join('\n');
    expect(parseSalesReport(old, DAY)[0]).toMatchObject({ device: '', units: '2' });
  });

  test('a byte-order mark, carriage returns, empty lines and a footer are no rows', () => {
    const text = `\uFEFF${salesReportText(rows, 'common').replaceAll('\n', '\r\n')}\r\nTotal_Units\t2\r\n\r\n`;
    expect(parseSalesReport(text, DAY)).toHaveLength(1);
  });

  test('header only is no rows', () => {
    expect(parse()).toEqual([]);
  });

  test.each(['Units', 'Currency of Proceeds', 'Begin Date'])('without %s it is refused', (name) => {
    const text = salesReportText(rows, 'common').replace(name, 'Something');
    expect(() => parseSalesReport(text, DAY)).toThrow(`lacks the columns ${name}`);
  });

  test('a report with NUL in it is refused, since no database takes it', () => {
    const text = salesReportText(rows, 'common').replace('ACME', 'AC\u0000ME');
    expect(() => parseSalesReport(text, DAY)).toThrow('NUL');
  });

  test('an HTML page is not a report', () => {
    expect(() => parseSalesReport('<html></html>', DAY)).toThrow(ReportFormatError);
  });
});

describe('cells', () => {
  test.each([
    [{ Units: '' }, 'Units is empty'],
    [{ Units: 'many' }, 'Units is not a decimal'],
    [{ 'Developer Proceeds': '' }, 'Developer Proceeds is empty'],
    [{ 'Developer Proceeds': '1', 'Currency of Proceeds': '' }, 'not a currency'],
    [{ 'Begin Date': '03/09/2026' }, 'is not for 2026-03-08'],
    [{ 'Begin Date': '' }, 'is not for 2026-03-08'],
    [{ Units: '9999999999999' }, 'Units is out of range'],
    [
      { Units: '1000000', 'Developer Proceeds': '9999999.99' },
      'Developer Proceeds is out of range',
    ],
  ])('%p is refused with its line', (values, message) => {
    expect(() => parse(row(), row(values))).toThrow(message);
    expect(() => parse(row(), row(values))).toThrow('Line 2');
  });

  test('money of nothing needs no currency', () => {
    const [fact] = parse(row({ 'Currency of Proceeds': ' ', 'Customer Currency': '' }));
    expect(fact).toMatchObject({ proceedsCurrency: '', customerCurrency: '', proceeds: '0' });
  });

  test('quotes in a SKU are part of it, thousands commas are not part of a number', () => {
    const [fact] = parse(row({ SKU: "'a','b'", Units: '1,234.00', 'Developer Proceeds': '1.5' }));
    expect(fact).toMatchObject({ sku: "'a','b'", units: '1234', proceeds: '1851' });
  });
});
