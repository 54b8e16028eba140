import { describe, expect, it } from 'vitest';
import { AT, someAlert, someFacts } from '../../../../test/support/alert-notices.ts';
import type { Delivery } from './delivery.ts';
import { addDelivery, isFirstOfAlert, withoutUntold } from './order.ts';

const [ONE, OTHER] = [crypto.randomUUID(), crypto.randomUUID()];
const [LETTUCE, BASIL] = [someAlert(), someAlert()];

type Change = Partial<Omit<Delivery, 'facts'>> & { readonly alert?: typeof LETTUCE | null };
function message(kind: Delivery['facts']['kind'], { alert = LETTUCE, ...change }: Change = {}): Delivery {
  return { facts: someFacts({ kind, alert }), channel: ONE, tries: 0, nextAt: AT, isQuiet: false, ...change };
}

const fired = message('fired');
const repeated = message('repeated');
const ended = message('ended');
const others = [
  message('fired', { alert: BASIL }),
  message('fired', { channel: OTHER }),
  message('test', { alert: null }),
];

describe('the first message about an alert', () => {
  it('is the earliest one of its channel', () => {
    expect(isFirstOfAlert([...others, fired, ended], fired)).toBe(true);
    expect(isFirstOfAlert([...others, fired, ended], ended)).toBe(false);
    expect(isFirstOfAlert([ended, fired], fired)).toBe(false);
  });

  it('is each one that is about no alert', () => {
    const [first, second] = [message('test', { alert: null }), message('summary', { alert: null })];
    expect([first, second].map((each) => isFirstOfAlert([first, second], each))).toEqual([true, true]);
    expect(isFirstOfAlert([first, fired], fired)).toBe(true);
    expect(isFirstOfAlert([fired, first], first)).toBe(true);
  });

  it('is none that does not wait', () => {
    expect(isFirstOfAlert([], fired)).toBe(false);
  });
});

describe('a new message', () => {
  it('waits after the others', () => {
    expect(addDelivery([...others, fired], ended)).toEqual([...others, fired, ended]);
    expect(addDelivery([ended], fired)).toEqual([ended, fired]);
    expect(addDelivery(others, message('digest', { alert: null }))).toHaveLength(4);
  });

  it('is added once for each channel', () => {
    const waiting = [...others, fired];
    expect(addDelivery([], fired)).toEqual([fired]);
    expect(addDelivery(waiting, { ...fired, nextAt: AT + 1 })).toBe(waiting);
    expect(addDelivery(waiting, { ...fired, channel: OTHER })).toHaveLength(5);
    expect(addDelivery(waiting, message('fired'))).toHaveLength(5);
  });

  it('that repeats one is not added while another one about the alert waits', () => {
    const waiting = [...others, { ...fired, tries: 3 }];
    expect(addDelivery(waiting, repeated)).toBe(waiting);
    expect(addDelivery(others, repeated)).toEqual([...others, repeated]);
  });

  it('about the end replaces the repeated ones that were never tried', () => {
    const tried = message('repeated', { tries: 1 });
    const kept = [message('repeated', { alert: BASIL }), message('repeated', { channel: OTHER })];
    expect(addDelivery([...kept, tried, repeated], ended)).toEqual([...kept, tried, ended]);
    expect(addDelivery([repeated], fired)).toEqual([repeated, fired]);
  });

  it('about the end is not added if quiet hours hold the beginning, which is removed', () => {
    expect(addDelivery([...others, { ...fired, isQuiet: true }], ended)).toEqual(others);
    expect(addDelivery([{ ...fired, isQuiet: true }, repeated], ended)).toEqual([]);
  });

  it.each<[string, Delivery]>([
    ['was tried', { ...fired, isQuiet: true, tries: 1 }],
    ['is not held', fired],
    ['is about another alert', message('fired', { alert: BASIL, isQuiet: true })],
    ['is for another channel', message('fired', { channel: OTHER, isQuiet: true })],
    ['is an end', { ...message('ended'), isQuiet: true }],
  ])('about the end is added if the one before it %s', (_name, before) => {
    expect(addDelivery([before], ended)).toEqual([before, ended]);
  });
});

describe('messages about an alert that the owner has seen', () => {
  it('are removed, except the one about its end and what was tried', () => {
    const tried = { ...repeated, tries: 1 };
    const waiting = [...others, fired, repeated, tried, ended];
    const ofOtherChannel = others[1]!;
    expect(withoutUntold(waiting, LETTUCE.id)).toEqual([
      ...others.filter((each) => each !== ofOtherChannel),
      tried,
      ended,
    ]);
  });
});
