import { dialog } from 'electron';
import type { Logger } from 'pino';
import type { PortHolder } from '../../../shared/node-state.ts';
import type { SettingProblem } from '../../../shared/owner-api/settings.ts';
import { SETTINGS } from '../../../shared/settings/table.ts';
import type { DesktopTexts } from '../../common/texts.ts';
import { isPinned } from '../../settings/settings.ts';
import type { Host } from '../host.ts';
import type { PublicItem } from './tray.ts';

export interface PublicSwitchDependencies {
  readonly host: Host;
  readonly log: Logger;
  readonly texts: () => DesktopTexts;
  readonly openSettings: () => void;
}

/** Pauses and resumes the public endpoint without the window; reports a refused change. */
export class PublicSwitch {
  readonly #dependencies: PublicSwitchDependencies;
  #isPaused = false;

  constructor(dependencies: PublicSwitchDependencies) {
    this.#dependencies = dependencies;
  }

  /** The present state of the listener, not the desired one. */
  get item(): PublicItem {
    const { settings, state } = this.#dependencies.host;
    const { publicEnabled } = settings.now;
    if (isPinned(settings.env, SETTINGS.publicEnabled)) return publicEnabled ? 'pinned-on' : 'pinned-off';
    if (state.state !== 'running') return publicEnabled ? 'busy' : 'off';
    if (state.publicUrl !== null) return 'on';
    return this.#isPaused ? 'paused' : 'off';
  }

  /** Call this when the settings changed, here or in the window, where a paused endpoint can be turned on. */
  settingsChanged(): void {
    if (this.#dependencies.host.settings.now.publicEnabled) this.#isPaused = false;
  }

  /**
   * Turns the endpoint on or off. Resolves when it is done, or when the owner has closed the message about the failure.
   */
  async set(isEnabled: boolean): Promise<void> {
    const { host, log } = this.#dependencies;
    const answer = await host.call('setSettings', { change: { publicEnabled: isEnabled } });
    if (answer.ok && answer.value.saved) {
      this.#isPaused = !isEnabled;
      return;
    }
    const problem = answer.ok && !answer.value.saved ? answer.value.problem : null;
    log.warn({ isEnabled, problem }, 'the tray could not switch the public endpoint');
    await this.#tell(isEnabled, problem);
  }

  async #tell(isEnabled: boolean, problem: SettingProblem | null): Promise<void> {
    const t = this.#dependencies.texts();
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: isEnabled ? t('publicFault.notOn') : t('publicFault.notOff'),
      detail: this.#reason(problem),
      buttons: [t('publicFault.settings'), t('publicFault.close')],
      defaultId: 0,
      cancelId: 1,
    });
    if (response === 0) this.#dependencies.openSettings();
  }

  #reason(problem: SettingProblem | null): string {
    const { host, texts } = this.#dependencies;
    const t = texts();
    const port = host.settings.now.publicPort;
    switch (problem?.kind) {
      case 'taken':
        return takenText(t, port, problem.holder);
      case 'privileged':
        return t('publicFault.privileged', { port });
      case 'equal':
        return t('publicFault.equal', { port });
      default:
        return host.state.state === 'moving' ? t('publicFault.moving') : t('publicFault.other');
    }
  }
}

function takenText(t: DesktopTexts, port: number, holder: PortHolder | null): string {
  if (holder?.name == null) return t('publicFault.taken', { port });
  const program = holder.pid === null ? holder.name : `${holder.name} (${holder.pid})`;
  return t('publicFault.takenBy', { port, program });
}
