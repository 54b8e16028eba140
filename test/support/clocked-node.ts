import { pino } from 'pino';
import type { MachineClocks } from '../../src/main/clock/machine-clocks.ts';
import { Node } from '../../src/main/node/node.ts';
import { LOCAL_OWNER } from '../../src/main/owner/caller.ts';
import type { Handlers, HostMethod } from '../../src/main/owner/handlers.ts';
import { readSettings } from '../../src/main/settings/settings.ts';
import type { Input, MethodName, Output } from '../../src/shared/owner-api/contract.ts';

/** A machine whose clocks a test sets. The true time is that of the test's own machine plus the passed time. */
export class FakeMachine implements MachineClocks {
  boot: string | null = 'first';
  /** The error of the wall clock in milliseconds. */
  error = 0;
  synchronised: boolean | null = null;
  #passed = 0;
  #stoppedAt: number | null = null;
  #bootAt = performance.now() - 60_000;

  /** The true time. It uses the same clock as `steady`: whole milliseconds of another clock would look like steps. */
  get time(): number {
    return performance.timeOrigin + this.steady();
  }

  wall(): number {
    return this.time + this.error;
  }

  steady(): number {
    return (this.#stoppedAt ?? performance.now()) + this.#passed;
  }

  uptime(): number {
    return this.steady() - this.#bootAt;
  }

  isSynchronised(): boolean | null {
    return this.synchronised;
  }

  /** Lets time pass without waiting. */
  pass(ms: number): void {
    this.#passed += ms;
  }

  /** Stops the clocks at a whole millisecond: only `pass` moves them from now on. */
  stop(): void {
    this.#stoppedAt = Math.ceil(performance.now());
  }

  /** Restarts the machine with this error of its clock. */
  reboot(error: number): void {
    this.boot = `after ${this.boot}`;
    this.#bootAt = this.steady();
    this.error = error;
  }
}

/** Starts a real node on that machine, with both endpoints and the owner's view. `env` are further settings. */
export async function startOn(
  machine: FakeMachine,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Node> {
  const settings = readSettings({ PUBLIC_PORT: '0', LOCAL_PORT: '0', ...env }, { dataDir, publicEnabled: true });
  const node = new Node(settings, pino({ level: 'silent' }), {
    ownerView: 'desktop',
    hostHandlers: {} as Handlers<HostMethod>,
    machineClocks: machine,
  });
  await node.start();
  return node;
}

/** Returns the address of the public endpoint. */
export const publicUrlOf = (node: Node) => node.urls.publicUrl!.replace('0.0.0.0', '127.0.0.1');

/** Calls a method as the owner. Throws if the call is refused. */
export async function ask<M extends MethodName>(node: Node, method: M, input: Input<M>): Promise<Output<M>> {
  const answer = await node.owner!.calls.callJson(LOCAL_OWNER, method, input);
  if (!answer.ok) throw new Error(`${method}: ${answer.error} ${answer.details ?? ''}`);
  return JSON.parse(Buffer.from(answer.json).toString()) as Output<M>;
}
