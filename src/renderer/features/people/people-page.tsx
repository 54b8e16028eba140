import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useDoor } from '../../api/queries/door.ts';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { AddCard } from './add-card.tsx';
import { DoorCard } from './door-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { PairedCard } from './paired-card.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['door', 'settings']);

/** The page of phones and people: the address of the door, who has access, and a form that grants access. */
export default function PeoplePage() {
  const { t } = useTranslation('door');
  useTitle(t('title'));
  const { data: view, error, refetch } = useDoor();
  if (view === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <LeadPage title={t('title')} lead={t('lead')}>
      <DoorCard view={view} />
      {view.door.state === 'listening' ? <AddCard view={view} /> : null}
      {view.pairings.length > 0 || view.door.state !== 'off' ? <PairedCard view={view} /> : null}
      {view.door.state === 'off' ? null : <KeysCard view={view} />}
    </LeadPage>
  );
}
