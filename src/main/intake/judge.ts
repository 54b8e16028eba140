import type { Block } from '../../shared/protocol/block.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { deviceNotFound } from '../../shared/protocol/errors.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { RawBinding } from '../settings/settings.ts';
import type { BlockOutcome, BlockReading, SignatureCheck } from '../store/reading.ts';
import { Batch, type Candidate } from './batch.ts';
import type { Devices, JudgedDevice } from './device-directory.ts';
import {
  applyDisposition,
  badSignature,
  bindToRaw,
  checkShape,
  hasSignatureLength,
  isRefusal,
  isStoredIn,
  lookUpDevice,
  mayKeepSigned,
  type Refusal,
} from './rules.ts';
import { deviceIdOf, echoedDeviceId, echoedSeq } from './sent-blocks.ts';
import type { StoreBudget } from './store-budget.ts';
import type { UnregisteredDevices } from './unregistered-devices.ts';

export interface JudgeDependencies {
  /** The store that the blocks are for. */
  readonly storeName: StoreName;
  readonly rawBinding: RawBinding;
  readonly clock: Pick<ArrivalClock, 'arrival'>;
  readonly budget: Pick<StoreBudget, 'isOver'>;
  readonly unregistered: Pick<UnregisteredDevices, 'note'>;
}

type Arrival = ReturnType<ArrivalClock['arrival']>;

/** Applies the rules to the blocks of a request, before and after their signatures are checked. */
export class Judge {
  readonly #dependencies: JudgeDependencies;

  constructor(dependencies: JudgeDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Applies every rule that needs no signature check. `isOver` returns whether a device is over the limits of the
   * listener. The batch keeps little of the parsed bodies: they would wait for threads and disk, and cost the garbage
   * collector most of its time. `only`: the places of the blocks to judge.
   */
  judge(
    blocks: readonly unknown[],
    devices: Devices,
    isOver: (deviceId: string) => boolean,
    only: ReadonlySet<number> | null = null,
  ): Batch {
    const { budget, clock, unregistered } = this.#dependencies;
    const arrival = clock.arrival();
    const batch = new Batch(blocks.length);
    for (let index = 0; index < blocks.length; index += 1) {
      if (only !== null && !only.has(index)) continue;
      const sent = blocks[index];
      const sound = checkShape(sent);
      if (isRefusal(sound)) {
        batch.refuse(index, { ...sound, seq: echoedSeq(sent), deviceId: echoedDeviceId(sent) });
        continue;
      }
      const device = lookUpDevice(devices, sound);
      if (isRefusal(device)) {
        batch.refuse(index, { ...device, seq: sound.seq, deviceId: sound.deviceId.toLowerCase() });
        unregistered.note(sound, device.cause);
      } else if (budget.isOver(device.id)) {
        batch.putOff(index, { seq: sound.seq, deviceId: device.id, error: 'storage_unavailable' });
      } else if (isOver(device.id)) {
        batch.putOff(index, { seq: sound.seq, deviceId: device.id, error: 'rate_limited' });
      } else if (!hasSignatureLength(sound)) {
        batch.refuse(index, { ...badSignature(device), seq: sound.seq, deviceId: device.id });
      } else {
        this.#add(batch, index, sound, device, arrival);
      }
    }
    return batch;
  }

  /** Returns the signature checks that show which of `ids` sent a sound block. A refused block proves nothing. */
  checksOf(
    blocks: readonly unknown[],
    ids: ReadonlySet<string>,
  ): { readonly id: string; readonly check: SignatureCheck }[] {
    const sound = blocks.filter((sent) => ids.has(deviceIdOf(sent))).map(checkShape);
    return sound.flatMap((block) => {
      if (isRefusal(block) || !hasSignatureLength(block)) return [];
      const id = block.deviceId.toLowerCase();
      if (isRefusal(bindToRaw(block, { id }, this.#dependencies.rawBinding))) return [];
      return { id, check: { publicKey: Buffer.from(id, 'hex'), signature: block.signature, message: block.raw } };
    });
  }

  #add(batch: Batch, index: number, sound: Block, device: JudgedDevice, arrival: Arrival): void {
    const { storeName, rawBinding } = this.#dependencies;
    const { seq, timestamp, keyVersion = 0, signature, raw } = sound;
    let verdict: Candidate['verdict'] = null;
    let reading: BlockReading | null = null;
    const signed = bindToRaw(sound, device, rawBinding);
    if (isRefusal(signed)) verdict = signed;
    else if (isStoredIn(storeName, device.publishTo)) {
      const { fields, withheld } = applyDisposition(sound, device, signed);
      verdict = withheld;
      const keepsSigned = mayKeepSigned(sound, device);
      const { registration } = device;
      reading = { seq, timestamp, ...arrival, keyVersion, fields, keepsSigned, registration };
    }
    batch.add({ index, seq, device, verdict, reading }, { publicKey: device.publicKey, signature, message: raw });
  }
}

/** Returns the refusal that a block's outcome in the store, or else its verdict, demands; null if it is accepted. */
export function refusalOf({ kind }: BlockOutcome, { device, verdict }: Candidate): Refusal | null {
  if (kind === 'bad_signature') return badSignature(device);
  // The device was deleted while the block was in progress.
  if (kind === 'unknown_device') return { error: deviceNotFound(device.id), cause: 'device_not_found' };
  return isRefusal(verdict) ? verdict : null;
}
