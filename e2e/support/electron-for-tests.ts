import { findElectron, NoElectronError } from '../../scripts/find-electron.ts';
import { sandboxProblem } from '../../scripts/sandbox.ts';

/** The Electron in which the desktop app is tested. */
export interface ElectronForTests {
  /** The real binary; null if the stand-in replaces it. */
  readonly binary: string | null;
  /** Why there is no real one, as a part of a sentence; null if there is one. */
  readonly why: string | null;
}

/** Looks for a real Electron that can open a window here, by the same rules as the launcher. */
export function electronForTests(): ElectronForTests {
  const standIn = (why: string): ElectronForTests => ({ binary: null, why });
  try {
    const binary = findElectron();
    if (binary === null) return standIn('there is no Electron binary here');
    // As root, Playwright starts it without the sandbox: Chromium does not run otherwise.
    const isSandboxed = process.platform === 'linux' && process.getuid?.() !== 0;
    const problem = isSandboxed ? sandboxProblem(binary) : null;
    return problem === null ? { binary, why: null } : standIn(problem);
  } catch (error) {
    if (!(error instanceof NoElectronError)) throw error;
    return standIn(error.message);
  }
}
