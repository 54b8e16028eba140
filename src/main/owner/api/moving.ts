import type { Input } from '../../../shared/owner-api/contract.ts';
import type { FolderProblem, Moves } from '../../../shared/owner-api/moving.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { deleteOldData, oldDataIn } from '../../data-folder/move/old-data.ts';
import type { OwnerHost } from './host.ts';

/** The calls about the data folder and the old data that moves of it left behind. */
export class MovingCalls {
  readonly #host: OwnerHost;

  constructor(host: OwnerHost) {
    this.#host = host;
  }

  moves(): Moves {
    const { move } = this.#host;
    const { file } = this.#host.settings;
    return { move, oldData: oldDataIn(file.kept.oldDataDirs ?? []) };
  }

  /** See the contract. Resolves with the reason if the folder can't be used, or null. Rejects with OwnerError. */
  async useDataDir({ path, startOver }: Input<'useDataDir'>): Promise<FolderProblem | null> {
    const host = this.#host;
    if (host.ownerView !== 'desktop') return 'not_applicable';
    if (host.state.state !== 'failed') return 'busy';
    const problem = host.dataChoice.choose(path, startOver);
    if (problem !== null) return problem;
    try {
      await host.settings.file.save({ dataDir: path });
    } catch (error) {
      throw new OwnerError('storage_unavailable', `${host.settings.file.path}: ${(error as Error).message}`);
    }
    await host.saved({});
    await host.retry();
    return null;
  }

  /** See the contract. Resolves with whether the folder's old data was deleted. Rejects with OwnerError. */
  async deleteOldData({ path, confirm }: Input<'deleteOldData'>): Promise<boolean> {
    const { file } = this.#host.settings;
    const kept = file.kept.oldDataDirs ?? [];
    if (confirm !== path) throw new OwnerError('invalid_input', 'confirm: does not repeat the path');
    if (!kept.includes(path)) throw new OwnerError('not_found', 'no move left data there');
    try {
      if (!(await deleteOldData(path))) return false;
      await file.save({ oldDataDirs: kept.filter((dir) => dir !== path) });
    } catch (error) {
      throw new OwnerError('storage_unavailable', (error as Error).message);
    }
    await this.#host.saved({});
    return true;
  }
}
