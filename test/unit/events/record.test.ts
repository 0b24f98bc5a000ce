import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { encodeRecord, scanRecords } from '../../../src/event-store/log/record.ts';
import { event, record } from '../../support/events.ts';

const encode = (text: string, arrival = 1) => {
  const { header } = record({ events: [event()] });
  return encodeRecord({ ...header, arrival }, Buffer.from(text));
};

const bodies = (bytes: Uint8Array) =>
  scanRecords(bytes).records.map((one) => Buffer.from(one.body).toString());

describe('records of the event log', () => {
  test('come back byte for byte, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300, unit: 'binary' })), (texts) => {
        const wellFormed = texts.map((text) => text.toWellFormed());
        const bytes = Buffer.concat(wellFormed.map((text, i) => encode(text, i)));
        const scan = scanRecords(bytes);
        expect(bodies(bytes)).toEqual(wellFormed);
        expect(scan.records.map((one) => one.header.arrival)).toEqual(texts.map((_, i) => i));
        expect(scan).toMatchObject({ fault: null, goodBytes: bytes.length });
      }),
      { numRuns: process.env.TEST_FULL ? 300 : 30 },
    );
  });

  test('are read up to the cut wherever a file ends', () => {
    const records = ['first', 'second', 'third'].map((text) => encode(text));
    const bytes = Buffer.concat(records);
    const ends = records.map((_, i) => Buffer.concat(records.slice(0, i + 1)).length);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const scan = scanRecords(bytes.subarray(0, cut));
      const whole = ends.filter((end) => end <= cut).length;
      expect(scan.records).toHaveLength(whole);
      expect(scan.goodBytes).toBe(ends[whole - 1] ?? 0);
      expect(scan.fault).toBe(cut === (ends[whole - 1] ?? 0) ? null : 'torn');
    }
  });

  test('are all found but one that has a damaged byte, whichever it is', () => {
    const records = ['first', 'other', 'third'].map((text) => encode(text));
    const bytes = Buffer.concat(records);
    const recordBytes = bytes.length / 3;
    fc.assert(
      fc.property(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, flip) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = (damaged[at] ?? 0) ^ flip;
          const hit = Math.floor(at / recordBytes);
          const { fault, damages } = scanRecords(damaged);
          const isOfLength = at % recordBytes < 4;
          const names = ['first', 'other', 'third'];
          const found = bodies(damaged);
          // One flipped bit of a length is found by the checksum, more are not.
          if (isOfLength && found.length === 3) expect(found).toEqual(names);
          else if (isOfLength) expect(found.slice(0, hit)).toEqual(names.slice(0, hit));
          else expect(found).toEqual(names.filter((_, index) => index !== hit));
          expect(damages.length + (fault === null ? 0 : 1)).toBe(found.length === 3 ? 0 : 1);
        },
      ),
      { numRuns: process.env.TEST_FULL ? 2_000 : 200 },
    );
  });

  test('are all found where one bit of a length is flipped', () => {
    const bytes = Buffer.concat(['first', 'other', 'third'].map((text) => encode(text)));
    for (let bit = 0; bit < 32; bit += 1) {
      const damaged = Buffer.from(bytes);
      const at = bytes.length / 3 + Math.floor(bit / 8);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (bit % 8));
      expect(bodies(damaged)).toEqual(['first', 'other', 'third']);
    }
  });

  test('are not found in the zeros that a crash can leave at the end of a file', () => {
    const bytes = Buffer.concat([encode('first'), Buffer.alloc(4096)]);
    expect(scanRecords(bytes)).toMatchObject({ fault: 'corrupt' });
    expect(bodies(bytes)).toEqual(['first']);
  });

  test('never come out of a body after damage', () => {
    const forged = encode('forged');
    const carrier = encodeRecord(
      { ...record({ events: [event()] }).header },
      Buffer.concat([Buffer.from('x'.repeat(40)), forged]),
    );
    carrier[4] = (carrier[4] ?? 0) ^ 1;
    expect(bodies(Buffer.concat([encode('first'), carrier, encode('last')]))).toEqual([
      'first',
      'last',
    ]);
  });

  test('larger than the log takes are refused when they are written', () => {
    expect(() => encode('x'.repeat(2 * 1024 * 1024))).toThrow('exceeds the limit of the log');
  });
});
