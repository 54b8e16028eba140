import { z } from 'zod';
import { block, telemetryBatch } from '../../../shared/protocol/block.ts';
import type { ListenerName } from '../../../shared/protocol/codes.ts';
import { deviceNotFound } from '../../../shared/protocol/errors.ts';
import { MAX_BLOCKS_PER_BATCH } from '../../../shared/protocol/limits.ts';
import type { IntakeResult } from '../../intake/batch.ts';
import type { Intake } from '../../intake/intake.ts';
import type { Joining } from '../../intake/joining/joining.ts';
import { deviceIdsOf } from '../../intake/sent-blocks.ts';
import type { AdmissionQueue } from '../limits/admission-queue.ts';
import type { DeviceBudgets } from '../limits/device-budget.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import { postRoute, type Route } from './route.ts';

export interface TelemetryRouteOptions {
  /** The listener of this route. */
  readonly name: ListenerName;
  readonly intake: Intake;
  readonly rateLimits: RateLimits | null;
  /** null if batches need not wait. */
  readonly admission: AdmissionQueue | null;
  readonly maxBodyBytes: number;
  /** The limits of single devices; null if there are none. */
  readonly deviceBudgets: DeviceBudgets | null;
  /** Completes waiting registrations with their first signed block; null if all devices may register. */
  readonly joining: Joining | null;
  /**
   * If true, a batch without a block of a registered device gets 404 instead of 207: only then does the firmware
   * register again by itself.
   */
  readonly tellsUnknownDevices: boolean;
}

/** A malformed block does not fail the request: the answer is 207, and only that block fails. */
const describedBatch = z.object({
  blocks: z
    .array(
      z.union([
        block.meta({ id: 'Block' }),
        z.unknown().meta({ description: 'A malformed block; only this block fails' }),
      ]),
    )
    .min(1)
    .max(MAX_BLOCKS_PER_BATCH),
});

const ANSWERS = {
  200: {
    description: 'Every block was accepted',
    schema: z.object({ accepted: z.int().min(1), errors: z.array(z.never()).max(0) }),
  },
  207: {
    description: 'At least one block failed; the others are on disk',
    schema: z.object({
      accepted: z.int().min(0),
      errors: z.array(z.object({ seq: z.string(), error: z.string() })).min(1),
    }),
  },
};

const NO_WAITS: ReadonlyMap<string, number> = new Map();

const UNKNOWN_DEVICES = {
  404: {
    description: 'No block is from a registered device; the error names the first device',
    schema: z.object({ error: z.string().regex(/^Device not found: [0-9a-f]{64}$/) }),
  },
};

/** POST /v1/telemetry */
export function telemetryRoute(options: TelemetryRouteOptions): Route {
  const { name, intake, rateLimits, admission, maxBodyBytes, deviceBudgets, joining, tellsUnknownDevices } = options;
  const onStored = deviceBudgets === null ? null : (id: string) => deviceBudgets.take(id);
  const route = postRoute(
    {
      path: '/v1/telemetry',
      operationId: 'postTelemetry',
      summary: 'Post signed blocks',
      // seq and timestamp are strings here, so plain JSON keeps every digit.
      body: { schema: telemetryBatch, parse: JSON.parse, maxBytes: maxBodyBytes, describedBy: describedBatch },
      answers: { ...ANSWERS, ...UNKNOWN_DEVICES },
      errors: ['rate_limited', 'storage_unavailable'],
      admit: async (request) => {
        const way = admission?.enter(request.raw.socket, String(request.body).length) ?? 'open';
        if (way === 'full') return { error: 'rate_limited' };
        if (way !== 'open') await way;
        return null;
      },
    },
    ({ blocks }, request) => {
      const wait = rateLimits?.takeBlocks(request.ip, blocks.length) ?? 0;
      if (wait > 0) return { error: 'rate_limited', retryAfter: wait };
      const waits = deviceBudgets?.waits(deviceIdsOf(blocks)) ?? NO_WAITS;
      // In a batch of several devices the others are still accepted.
      if (waits.size > 0 && waits.size === deviceIdsOf(blocks).size) {
        return { error: 'rate_limited', retryAfter: Math.max(...waits.values()) };
      }
      if (joining === null) return takeIn(blocks, waits);
      return joining.meet(blocks, request.ip, intake).then(() => takeIn(blocks, waits));
    },
  );

  // Nothing here holds the blocks while it waits: they are large, and the garbage collector would copy them.
  function takeIn(blocks: readonly unknown[], waits: ReadonlyMap<string, number>) {
    return intake.takeIn(blocks, { listener: name, onStored, isOver: (id) => waits.has(id) }).then(answerTo);
  }

  function answerTo({ accepted, errors, unknownDevice }: IntakeResult) {
    if (tellsUnknownDevices && unknownDevice !== null) {
      return { status: 404, json: JSON.stringify({ error: deviceNotFound(unknownDevice) }) } as const;
    }
    if (errors.length === 0) return { status: 200, json: `{"accepted":${accepted},"errors":[]}` } as const;
    return { status: 207, json: JSON.stringify({ accepted, errors }) } as const;
  }

  return tellsUnknownDevices ? route : { ...route, answers: ANSWERS };
}
