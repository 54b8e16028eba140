import { Alert, Button, FileButton } from '@mantine/core';
import { sha256 } from '@noble/hashes/sha2.js';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { verify } from '../../../shared/crypto/ed25519.ts';
import { formatKey } from '../../../shared/proof/note.ts';
import { checkProof, ProofCheck, type ProofFault, type Proven } from '../../../shared/proof/proof-file.ts';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './export-page.module.css';

type State =
  | { readonly kind: 'working'; readonly name: string; readonly done: number }
  | { readonly kind: 'proven'; readonly name: string; readonly proven: Proven }
  | { readonly kind: 'refused'; readonly name: string; readonly fault: ProofFault }
  | { readonly kind: 'unreadable'; readonly name: string };

/** Verifies a proof file in the page itself, without the node. */
export function VerifyProof() {
  const { t } = useTranslation('export');
  const [state, setState] = useState<State | null>(null);
  const [isOver, setIsOver] = useState(false);
  const latest = useRef<File | null>(null);

  async function verifyFile(file: File): Promise<void> {
    const { name } = file;
    latest.current = file;
    const show = (next: State) => {
      if (latest.current === file) setState(next);
    };
    show({ kind: 'working', name, done: 0 });
    const check = new ProofCheck({ sha256, verify });
    try {
      const pieces = piecesOf(file, (done) => show({ kind: 'working', name, done }));
      const proven = await checkProof(check, pieces);
      show(proven === null ? { kind: 'refused', name, fault: check.fault! } : { kind: 'proven', name, proven });
    } catch {
      show({ kind: 'unreadable', name });
    }
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files.item(0);
    if (file !== null) void verifyFile(file);
  }

  return (
    <Card title={t('verify.title')}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same without a mouse. */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <p>{t('verify.text')}</p>
        <FileButton
          onChange={(file) => {
            if (file !== null) void verifyFile(file);
          }}
          inputProps={{ 'aria-label': t('verify.choose') }}
        >
          {(props) => (
            <Button {...props} variant="default">
              {t('verify.choose')}
            </Button>
          )}
        </FileButton>
      </div>
      {state === null ? null : <Result state={state} />}
    </Card>
  );
}

function Result({ state }: { readonly state: State }) {
  const { t } = useTranslation('export');
  const format = useFormat();
  const { name } = state;
  if (state.kind === 'working') {
    return <p role="status">{t('verify.working', { name, size: format.bytes(state.done) })}</p>;
  }
  if (state.kind === 'proven') return <ProvenResult name={name} proven={state.proven} />;
  return (
    <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t('verify.refused', { name })} role="alert">
      {state.kind === 'unreadable' ? (
        <p>{t('verify.unreadable')}</p>
      ) : (
        <>
          <p>{t(`verify.fails.${state.fault.claim}`, { line: format.integer(state.fault.line) })}</p>
          <p className={classes.note} lang="en">
            {state.fault.reason}
          </p>
        </>
      )}
    </Alert>
  );
}

function ProvenResult({ name, proven }: { readonly name: string; readonly proven: Proven }) {
  const { t } = useTranslation('export');
  const format = useFormat();
  const { readings, signed, signedValues, sealed, device, corrections, registrations, checkpoint, witnesses, log } =
    proven;
  const { opened } = proven;
  const number = (value: number) => ({ count: value, number: format.integer(value) });
  return (
    <Alert
      color="green"
      variant="light"
      icon={<Icon name="check" />}
      title={t('verify.proven', { name })}
      role="status"
    >
      <p>{t('verify.whole', number(readings))}</p>
      <p className={classes.path}>{device}</p>
      <p>{t('verify.signed', { ...number(signed), all: format.integer(signedValues) })}</p>
      <p>{t('verify.kept', { ...number(readings), sealed: format.integer(sealed) })}</p>
      {opened === null ? null : (
        <>
          <p>{t(`verify.opened.${opened.isRegistered ? 'named' : 'unknown'}`, number(opened.readings))}</p>
          <p className={classes.path}>{opened.owner}</p>
        </>
      )}
      {registrations.map(({ at, way }) => (
        <p key={at}>{t('verify.registered', { at: format.dateTime(at), way: t(`verify.ways.${way}`) })}</p>
      ))}
      {corrections.length === 0 ? null : <p>{t('verify.corrected', number(corrections.length))}</p>}
      <p>{t('verify.log', number(checkpoint.size))}</p>
      <p className={classes.path}>{formatKey(sha256, log)}</p>
      {witnesses.map(({ key, at, size, readings: seen }) => (
        <div key={key.name}>
          <p>
            {t('verify.witnessed', {
              name: key.name,
              size: format.integer(size),
              at: format.dateTime(at * 1000),
              number: format.integer(seen),
            })}
          </p>
          <p className={classes.path}>{formatKey(sha256, key)}</p>
        </div>
      ))}
      <p className={classes.note}>{t('verify.not')}</p>
    </Alert>
  );
}

/** Reads a file in chunks, with pauses that keep the page responsive. Rejects if the file can't be read. */
async function* piecesOf(file: File, onProgress: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  let done = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    yield next.value;
    done += next.value.length;
    onProgress(done);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
