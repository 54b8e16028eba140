import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoorView, OpenedPairing } from '../../../shared/owner-api/door.ts';
import { showFingerprint, showPairingCode } from '../../../shared/pairing-link.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import { QrCode } from '../../components/codes/qr-code.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './people.module.css';

interface Props {
  readonly opened: OpenedPairing;
  readonly of: NonNullable<DoorView['open']>;
  readonly addresses: DoorView['addresses'];
  readonly onClose: () => void;
}

/** Shows an open code: for whom it is, its link at the chosen address, and how to use it. */
export function Opened({ opened, of, addresses, onClose }: Props) {
  const { t } = useTranslation('door');
  const format = useFormat();
  const [chosen, setChosen] = useState<string | null>(null);
  const { links } = opened;
  const { address, link } = links.find((each) => each.address === chosen) ?? links[0]!;
  const interfaceOf = (of: string) => addresses.find((each) => each.address === of)?.interface;
  return (
    <div className={classes.opened}>
      <QrCode text={link} label={t('add.qr')} />
      <div>
        <p className={classes.text}>{t('add.for', { name: of.name, role: t(`role.${of.role}`) })}</p>
        {links.length === 1 ? null : (
          <Radio.Group label={t('add.at')} description={t('add.atText')} size="sm" value={address} onChange={setChosen}>
            <div className={classes.choices}>
              {links.map((each) => (
                <Radio
                  key={each.address}
                  size="xs"
                  value={each.address}
                  label={
                    <>
                      {each.address} <span className={classes.note}>{interfaceOf(each.address)}</span>
                    </>
                  }
                />
              ))}
            </div>
          </Radio.Group>
        )}
        <p className={classes.text}>{t('add.scan')}</p>
        <CodeLine isSecret text={link} label={t('add.copyLink')} />
        <p className={classes.text}>{t('add.code', { origin: link.replace(/#.*$/, '') })}</p>
        <span className={classes.code} data-testid="pairing-code">
          {showPairingCode(opened.code)}
        </span>
        <p className={classes.note}>{t('add.left', { minutes: format.integer(Math.ceil(of.leftMs / 60_000)) })}</p>
        {of.wrongTries === 0 ? null : (
          <p className={classes.note} role="status">
            {t('add.wrongTries', { count: of.wrongTries, number: format.integer(of.wrongTries) })}
          </p>
        )}
        <p className={classes.note}>{t('add.warning', { address })}</p>
        <p className={classes.note}>{t('certificate.fingerprint')}</p>
        <code className={classes.hex}>{showFingerprint(opened.fingerprint)}</code>
        <div>
          <Button variant="default" size="xs" onClick={onClose}>
            {t('add.closeCode')}
          </Button>
        </div>
      </div>
    </div>
  );
}
