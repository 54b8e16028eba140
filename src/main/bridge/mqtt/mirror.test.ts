import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { RetainedMirror } from './mirror.ts';

/** A broker that confirms messages on demand. */
class SlowBroker {
  readonly held = new Map<string, string>();
  readonly sent: string[] = [];
  #waiting: { topic: string; payload: string; confirm: () => void; fail: () => void }[] = [];

  readonly send = (topic: string, payload: string) => {
    this.sent.push(`${topic}=${payload}`);
    return new Promise<void>((confirm, reject) => {
      this.#waiting.push({ topic, payload, confirm, fail: () => reject(new Error('lost')) });
    });
  };

  get waiting(): number {
    return this.#waiting.length;
  }

  async confirm(count = Number.POSITIVE_INFINITY): Promise<void> {
    for (const { topic, payload, confirm } of this.#waiting.splice(0, count)) {
      if (payload === '') this.held.delete(topic);
      else this.held.set(topic, payload);
      confirm();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }

  async confirmAll(): Promise<void> {
    while (this.waiting > 0) await this.confirm();
  }

  /** Drops the connection and all messages. */
  async lose(): Promise<void> {
    this.held.clear();
    for (const { fail } of this.#waiting.splice(0)) fail();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

let broker: SlowBroker;
let mirror: RetainedMirror;
beforeEach(() => {
  broker = new SlowBroker();
  mirror = new RetainedMirror();
});

describe('a mirror of retained messages', () => {
  it('sends only differences, and only the latest message of a topic', async () => {
    mirror.connected(broker.send);
    mirror.want('a', '1', 1);
    for (const payload of ['2', '3', '4']) mirror.want('a', payload, 1);
    await broker.confirmAll();
    expect(broker.sent).toEqual(['a=1', 'a=4']);
    mirror.want('a', '4', 1);
    await broker.confirmAll();
    expect(broker.sent).toHaveLength(2);
  });

  it('does not repeat a message in flight', async () => {
    mirror.connected(broker.send);
    for (let time = 0; time < 3; time += 1) mirror.want('a', '1', 1);
    await broker.confirmAll();
    expect(broker.sent).toEqual(['a=1']);
  });

  it('repeats a message on request, also one in flight', async () => {
    mirror.connected(broker.send);
    mirror.want('a', '1', 1);
    mirror.repeat('a');
    mirror.want('a', '1', 1);
    await broker.confirmAll();
    expect(broker.sent).toEqual(['a=1', 'a=1']);
  });

  it('has at most 32 messages in flight at a broker that confirms none', () => {
    mirror.connected(broker.send);
    for (let round = 0; round < 100; round += 1) {
      for (let topic = 0; topic < 300; topic += 1) mirror.want(`t${topic}`, `${round}`, 1);
    }
    expect(broker.waiting).toBe(32);
    expect(mirror.pending).toBe(300);
  });

  it('sends everything again on a new connection, in order of ranks', async () => {
    mirror.want('status', 'online', 4);
    mirror.want('state', '1', 2);
    mirror.want('config', '{}', 1);
    mirror.connected(broker.send);
    await broker.confirmAll();
    await broker.lose();
    mirror.disconnected();
    mirror.connected(broker.send);
    await broker.confirmAll();
    const each = ['config={}', 'state=1', 'status=online'];
    expect(broker.sent).toEqual([...each, ...each]);
  });

  it('sends a message in two steps, once', async () => {
    mirror.connected(broker.send);
    mirror.want('config', 'new', 1, 'dropped');
    await broker.confirmAll();
    mirror.repeatAll();
    await broker.confirmAll();
    expect(broker.sent).toEqual(['config=dropped', 'config=new', 'config=new']);
  });

  it('leaves the broker with the latest messages after any events', async () => {
    const topic = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('want' as const), topic, payload: fc.constantFrom('1', '2', '3') }),
      fc.record({ kind: fc.constant('clear' as const), topic }),
      fc.record({ kind: fc.constantFrom('confirm', 'lose', 'connect', 'repeat') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const [own, on] = [new SlowBroker(), new RetainedMirror()];
        const wanted = new Map<string, string>();
        for (const each of steps) {
          if (each.kind === 'want' && 'payload' in each) {
            wanted.set(each.topic, each.payload);
            on.want(each.topic, each.payload, 1);
          } else if (each.kind === 'clear' && 'topic' in each) {
            wanted.delete(each.topic);
            on.clear(each.topic);
          } else if (each.kind === 'confirm') await own.confirm(1);
          else if (each.kind === 'repeat') on.repeatAll();
          else if (each.kind === 'connect') on.connected(own.send);
          else {
            await own.lose();
            on.disconnected();
          }
        }
        await own.lose();
        on.connected(own.send);
        await own.confirmAll();
        expect([...own.held].sort()).toEqual([...wanted].sort());
        expect(on.pending).toBe(0);
      }),
    );
  });
});
