// What holds for every list: a list allows only what one of its entries names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { useSeed } from '../../test/support/property-seed.ts';
import { checkOrigin, mayConnect } from './address-guard.ts';
import { isPublicAddress } from './address-ranges.ts';
import { parseAllowList } from './allow-list.ts';
import { isUsualPort } from './port-rules.ts';

useSeed();

const dotted = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');
const address = fc.nat({ max: 2 ** 32 - 1 });
const port = fc.integer({ min: 1, max: 65_535 });
const label = fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/);
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));

test('any text is read without an exception, and each entry is either taken or reported', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('http://', '*.', '[', ']', ':', '/', '::', '10.0.0.0', '/8', ':443', 'a.internal', '%', '.'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('').replace(/[,\n\r#]/g, '');
      const { allowed, problems } = parseAllowList(text);
      assert.equal(allowed.length + problems.length, text.trim() === '' ? 0 : 1, text);
      // What is printed means the same when it is read again.
      for (const entry of allowed) assert.deepEqual(parseAllowList(entry.text).allowed, [entry]);
    }),
  );
});

test('an IPv4 range allows exactly the addresses that have its first bits', () => {
  fc.assert(
    fc.property(address, fc.integer({ min: 0, max: 32 }), address, port, (base, bits, other, at) => {
      const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
      const { allowed, problems } = parseAllowList(`${dotted((base & mask) >>> 0)}/${bits}`);
      assert.deepEqual(problems, []);
      const isIn = (other & mask) >>> 0 === (base & mask) >>> 0 && other !== 0;
      const target = { scheme: 'https', hostname: dotted(other), port: at } as const;
      const expected = isUsualPort(at) && (isIn || isPublicAddress(dotted(other)));
      assert.equal(mayConnect(target, dotted(other), allowed, new Set()), expected);
    }),
  );
});

test('a suffix matches names below it, and never itself, one that only ends alike, or one that goes on', () => {
  fc.assert(
    fc.property(name, name, label, (suffix, head, glued) => {
      const { allowed } = parseAllowList(`*.${suffix}:8443`);
      const isAllowed = (host: string) => {
        const checked = checkOrigin(`https://${host}:8443`, allowed);
        return !('problem' in checked) && mayConnect(checked, '10.0.0.5', allowed, new Set());
      };
      const isBelow = (host: string) => host.endsWith(`.${suffix}`);
      assert.equal(isAllowed(`${head}.${suffix}`), true);
      for (const host of [suffix, `${glued}${suffix}`, `${suffix}.${head}`])
        assert.equal(isAllowed(host), isBelow(host));
    }),
  );
});

test('an entry with http:// allows one origin, and nothing else over plain HTTP', () => {
  fc.assert(
    fc.property(name, port, name, port, (host, at, other, other_port) => {
      const { allowed } = parseAllowList(`http://${host}:${at},${host},*.${host},10.0.0.0/8,0.0.0.0/0`);
      const isAllowed = (origin: string) => !('problem' in checkOrigin(origin, allowed));
      assert.equal(isAllowed(`http://${host}:${at}`), true);
      assert.equal(isAllowed(`http://${other}:${other_port}`), other === host && other_port === at);
      assert.equal(isAllowed(`http://x.${host}:${at}`), false);
      assert.equal(isAllowed(`http://10.0.0.5:${at}`), false);
    }),
  );
});
