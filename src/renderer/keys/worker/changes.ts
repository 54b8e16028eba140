import { parseKeyImport } from '../../../shared/crypto/keyring/key-import.ts';
import {
  addFieldKeys,
  addKeyVersion,
  addSecret,
  changeSecret,
  findFieldKey,
  removeFieldKey,
  removeSecret,
  restoreSecret,
} from '../../../shared/crypto/keyring/keyring.ts';
import {
  type FieldKeyEntry,
  type KeystoreContents,
  newSecretId,
  type StoredSecret,
} from '../../../shared/crypto/keystore/keystore-contents.ts';
import { KeySessionError } from '../types.ts';
import { type PhraseDrafts, usableSecret } from './phrases.ts';
import type { ChangeName, Changes, Staged } from './protocol.ts';
import { fieldKeyView, type Vault } from './vault.ts';

type ChangeMaker<N extends ChangeName> = (
  vault: Vault,
  input: Changes[N]['input'],
  drafts: PhraseDrafts,
) => Promise<Staged<Changes[N]['result']>> | Staged<Changes[N]['result']>;

/** All changes of the keystore's contents. Each stages its result and leaves the vault otherwise unchanged. */
export const CHANGES: { readonly [N in ChangeName]: ChangeMaker<N> } = {
  keepDraft: (vault, { draftId, label }, drafts) =>
    keep(vault, { ...head(label), kind: 'phrase', ...drafts.get(draftId) }),
  keepTyped: async (vault, { secret, label }) => keep(vault, { ...head(label), ...(await usableSecret(secret)) }),
  renameSecret: (vault, { secretId, label }) => {
    return vault.stageContents(there(changeSecret(vault.contents, secretId, (kept) => ({ ...kept, label }))), null);
  },
  removeSecret: async (vault, { secretId, passphrase }) => {
    await vault.mustOpen(passphrase);
    return vault.stageContents(there(removeSecret(vault.contents, secretId, Date.now())), null);
  },
  restoreSecret: (vault, { secretId }) => vault.stageContents(there(restoreSecret(vault.contents, secretId)), null),
  drilled: (vault, { secretId }) => {
    const drilledAt = Date.now();
    return vault.stageContents(there(changeSecret(vault.contents, secretId, (kept) => ({ ...kept, drilledAt }))), null);
  },
  exported: (vault) => vault.stageContents({ ...vault.contents, exportedAt: Date.now() }, null),
  undo: (vault, { undoId }) => vault.stageContents(vault.undone(undoId), null),
  lockAfter: (vault, { minutes }) =>
    vault.stageContents(
      { ...vault.contents, settings: { ...vault.contents.settings, lockAfterMinutes: minutes } },
      null,
    ),
  importFieldKeys: (vault, { text, context, replace }) => {
    const parsed = parseKeyImport(text, context);
    if (!parsed.ok) return nothingTaken(parsed.errors);
    const addedAt = Date.now();
    const entries = parsed.keys.map((key): FieldKeyEntry => ({ ...key, source: 'imported', addedAt }));
    const { contents, added, same, conflicting } = addFieldKeys(vault.contents, entries, { replace });
    const isChange = added.length > 0 || (replace && conflicting.length > 0);
    const undoId = isChange ? vault.keepUndo((now) => withoutImport(now, added, replace ? conflicting : [])) : null;
    const result = {
      added: added.map(fieldKeyView),
      same: same.map(fieldKeyView),
      conflicting: conflicting.map(fieldKeyView),
      errors: [],
      undoId,
    };
    return isChange ? vault.stageContents(contents, result) : { bytes: null, result };
  },
  addKeyVersion: (vault, { device, seenVersions }) => {
    const added = addKeyVersion(vault.contents, vault.owners, device, { seenVersions, now: Date.now() });
    if (added === null) throw new KeySessionError('no_version_left');
    return vault.stageContents(added.contents, { entry: fieldKeyView(added.entry) });
  },
  removeFieldKey: (vault, { deviceId, keyVersion }) => {
    const { contents, removed } = removeFieldKey(vault.contents, deviceId, keyVersion);
    if (removed === null) throw new KeySessionError('gone');
    const undoId = vault.keepUndo((now) => addFieldKeys(now, [removed]).contents);
    return vault.stageContents(contents, { undoId });
  },
};

function there(contents: KeystoreContents | null): KeystoreContents {
  if (contents === null) throw new KeySessionError('gone');
  return contents;
}

function head(label: string): Pick<StoredSecret, 'id' | 'label' | 'createdAt'> {
  return { id: newSecretId(), label: label.trim(), createdAt: Date.now() };
}

function keep(vault: Vault, secret: StoredSecret): Staged<{ secretId: string }> {
  const contents = addSecret(vault.contents, secret);
  if (contents === vault.contents) throw new KeySessionError('already_kept');
  return vault.stageContents(contents, { secretId: secret.id });
}

function nothingTaken(errors: Changes['importFieldKeys']['result']['errors']) {
  return { bytes: null, result: { added: [], same: [], conflicting: [], errors, undoId: null } };
}

/** Undoes an import: removes the keys that it added, and restores those that it replaced. */
function withoutImport(
  contents: KeystoreContents,
  added: readonly FieldKeyEntry[],
  replaced: readonly FieldKeyEntry[],
): KeystoreContents {
  const isAdded = (entry: FieldKeyEntry) =>
    added.some((each) => each.deviceId === entry.deviceId && each.keyVersion === entry.keyVersion);
  const kept = contents.fieldKeys.filter((entry) => !isAdded(entry));
  const back = replaced.filter((entry) => findFieldKey(contents, entry.deviceId, entry.keyVersion) !== undefined);
  return addFieldKeys({ ...contents, fieldKeys: kept }, back, { replace: true }).contents;
}
