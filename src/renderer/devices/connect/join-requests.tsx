import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { displayText, shortId } from '../../../shared/display-text.ts';
import type { JoinAttempt } from '../../../shared/owner-api/gate.ts';
import { type Gate, useDismissRegistration } from '../../api/queries/gate.ts';
import { Age } from '../../components/values/age.tsx';
import { useFormat } from '../../format/format.ts';
import { AdoptButton } from './adopt-button.tsx';
import classes from './connect.module.css';

/**
 * The waiting registrations by device, with what they wait for, and those that came while joining was closed. The
 * latest are first.
 */
export function JoinRequests({ gate: { attempts, pending } }: { gate: Pick<Gate, 'attempts' | 'pending'> }) {
  const { t } = useTranslation('app');
  const devices = [...Map.groupBy(pending, ({ id }) => id).values()].toReversed();
  // Ids are easy to invent, so devices that sent a signed reading are first.
  const tried = attempts.toReversed().toSorted((one, other) => Number(other.isSigned) - Number(one.isSigned));
  return (
    <>
      {devices.length === 0 ? null : (
        <div className={classes.row}>
          <p>{t('gate.pending')}</p>
          <ul className={classes.attempts} aria-label={t('gate.pending')}>
            {devices.map((registrations) => (
              <li key={registrations[0]!.id}>
                {registrations.map((registration) => (
                  <Request key={registration.registration} request={registration} />
                ))}
                <span className={classes.waits}>{t(`gate.waits.${registrations[0]!.waitsFor}`)}</span>
              </li>
            ))}
          </ul>
          <p className={classes.note}>{t('gate.pendingNote')}</p>
        </div>
      )}
      {tried.length === 0 ? null : (
        <div className={classes.row}>
          <p>{t('gate.attempts')}</p>
          <ul className={classes.attempts} aria-label={t('gate.attempts')}>
            {tried.map((attempt) => (
              <li key={`${attempt.id} ${attempt.registration}`}>
                <Request request={attempt} />
              </li>
            ))}
          </ul>
          <p className={classes.note}>{t('gate.unproven')}</p>
        </div>
      )}
    </>
  );
}

/** One registration, with the buttons to accept and to dismiss it. */
function Request({ request }: { request: JoinAttempt }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const dismiss = useDismissRegistration();
  const { id, registration, ownerPubkey, ownerName, address, count, lastAt, isSigned } = request;
  const name = displayText(request.name);
  const key = shortId(ownerPubkey);
  return (
    <div className={classes.request}>
      <strong>{name}</strong> <code title={id}>{shortId(id)}</code>
      <span className={classes.note} title={ownerPubkey}>
        {ownerName === null
          ? t('gate.ownerKey', { key })
          : t('gate.namedOwnerKey', { key, owner: displayText(ownerName) })}
      </span>
      <span className={classes.note}>
        {address} · {t('knocking.attempts', { count, number: format.integer(count) })} · <Age at={lastAt} />
        {isSigned ? ` · ${t('gate.signed')}` : ''}
      </span>
      <AdoptButton id={id} attempt={request} />
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={t('gate.dismissOf', { name, id: shortId(id) })}
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate({ id, registration })}
      >
        {t('gate.dismiss')}
      </Button>
    </div>
  );
}
