import { describe, expect, it } from 'vitest';
import { linkTo, parseRoute } from './router.ts';

const ID = 'ab'.repeat(32);
const CYCLE = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11';

describe('parseRoute', () => {
  it('reads the output of linkTo', () => {
    for (const route of [
      { page: 'overview' },
      { page: 'device', id: ID },
      { page: 'connect' },
      { page: 'connect', from: 'network' },
      { page: 'connect', from: 'elsewhere' },
      { page: 'keys' },
      { page: 'alerts', id: null },
      { page: 'alerts', id: CYCLE },
      { page: 'report', of: 'cycle', id: CYCLE },
      { page: 'report', of: 'group', id: CYCLE },
      { page: 'report', of: 'device', id: ID },
      { page: 'crops' },
      { page: 'crops', cycle: CYCLE },
      { page: 'crops', cycle: CYCLE, beside: '0f3c7a52-1c9e-4b6a-8a44-7d8e9f001122' },
    ] as const) {
      expect(parseRoute(linkTo(route))).toEqual(route);
    }
  });

  it('reads an empty fragment as the overview', () => {
    expect(parseRoute('')).toEqual({ page: 'overview' });
    expect(parseRoute('#')).toEqual({ page: 'overview' });
  });

  it('leaves the part after a question mark to the page', () => {
    expect(parseRoute(`#/device/${ID}?range=7d&fields=ph,ec`)).toEqual({ page: 'device', id: ID });
    expect(parseRoute('#/?x=/device/')).toEqual({ page: 'overview' });
  });

  it('returns no other page', () => {
    for (const hash of [
      '#/device/',
      '#/device/xyz',
      `#/device/${ID}/more`,
      `#/device/${ID.toUpperCase()}`,
      '#/nowhere',
      '#/alerts/',
      '#/alerts/1',
      `#/report/device/${CYCLE}`,
      `#/report/cycle/${ID}`,
      '#/report',
      '#/crops/',
      '#/crops/1',
      `#/crops/${CYCLE}/beside`,
      `#/crops/${CYCLE}/beside/${CYCLE}/more`,
    ]) {
      expect(parseRoute(hash), hash).toEqual({ page: 'unknown' });
    }
  });
});
