import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeftTopics } from './left-topics.ts';
import { configTopic, deviceOfConfig, partsOfTopic } from './topics.ts';

const NODE = 'cd'.repeat(32);
const [OWN, THEIRS] = ['ab'.repeat(32), 'ef'.repeat(32)];
const names = { prefix: 'wellhouse', discoveryPrefix: 'homeassistant', node: NODE };
const config = (node: string, prefix = 'wellhouse') =>
  JSON.stringify({ availability: [{ topic: `${prefix}/${node}/status` }], components: { ph: { platform: 'sensor' } } });

describe('messages that an earlier run left at a broker', () => {
  it('are found by the node in them, and all others stay', () => {
    const left = new LeftTopics(names);
    left.take(configTopic('homeassistant', OWN), config(NODE));
    left.take(configTopic('homeassistant', THEIRS), config(THEIRS));
    left.take(`wellhouse/${THEIRS}/state`, JSON.stringify({ node: THEIRS }));
    left.take(`wellhouse/${THEIRS}/availability`, 'online');
    expect(left.unwanted(new Set([OWN]))).toEqual([]);
    expect(left.unwanted(new Set()).sort()).toEqual([
      configTopic('homeassistant', OWN),
      ...['alerts', 'availability', 'state'].map((kind) => `wellhouse/${OWN}/${kind}`),
    ]);
    expect(left.componentsOf(OWN)).toEqual({ ph: 'sensor' });
  });

  it('are found by the state without Home Assistant', () => {
    const left = new LeftTopics({ ...names, discoveryPrefix: null });
    left.take(`wellhouse/${OWN}/availability`, 'online');
    left.take(`wellhouse/${OWN}/state`, JSON.stringify({ node: NODE }));
    expect(left.unwanted(new Set()).sort()).toEqual([`wellhouse/${OWN}/availability`, `wellhouse/${OWN}/state`]);
  });

  it('are found under an earlier prefix, also if the device is still wanted', () => {
    const left = new LeftTopics(names);
    left.take(configTopic('homeassistant', OWN), config(NODE, 'old/one'));
    expect(left.unwanted(new Set([OWN])).sort()).toEqual(
      [...['alerts', 'availability', 'state'].map((kind) => `old/one/${OWN}/${kind}`), `old/one/${NODE}/status`].sort(),
    );
  });

  it('are not confused with forged ones', () => {
    const topic = fc.oneof(
      fc.string(),
      fc.constantFrom(configTopic('homeassistant', OWN), `wellhouse/${OWN}/state`, `wellhouse/${OWN}/alerts`),
    );
    const payload = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(config('#'), config(NODE, '+'), config(NODE, 'a/#'), config(NODE, ''), '{"availability":[null]}'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(topic, payload)), (messages) => {
        const left = new LeftTopics(names);
        for (const [each, text] of messages) left.take(each, text);
        expect(left.unwanted(new Set())).toEqual([]);
      }),
    );
  });
});

describe('topics', () => {
  it('belong to a device only with its whole id', () => {
    expect(deviceOfConfig('ha', configTopic('ha', OWN))).toBe(OWN);
    for (const topic of [`x/${configTopic('ha', OWN)}`, `${configTopic('ha', OWN)}/x`, configTopic('ha', 'AB')]) {
      expect(deviceOfConfig('ha', topic)).toBeNull();
    }
    expect(partsOfTopic('a/b', `a/b/${OWN}/state`)).toEqual({ device: OWN, kind: 'state' });
    for (const topic of [`a/${OWN}/state`, `a/b/${OWN}/status`, `a/b/${OWN}/state/x`, '']) {
      expect(partsOfTopic('a/b', topic)).toBeNull();
    }
  });
});
