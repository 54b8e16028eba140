import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { devicesOf, stageAt } from '../../../shared/owner-data/cycle-states.ts';
import { sumsOf } from '../../../shared/owner-data/cycle-sums.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { dayOf } from '../../../shared/owner-data/days.ts';
import { OwnerOnly } from '../../api/me.tsx';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useCycles } from '../../api/queries/cycles.ts';
import { useJournal } from '../../api/queries/journal.ts';
import { Icon } from '../../components/icon.tsx';
import { SectionHead } from '../../components/section-head.tsx';
import { cycleName, placeName, useCycleFacts } from '../../crops/use-cycle-words.ts';
import { useDayText } from '../../crops/use-days.ts';
import type { NamedDevice } from '../../journal/entry-form.tsx';
import { useEntryWords } from '../../journal/use-act-words.ts';
import { useNow } from '../../now.ts';
import { linkTo } from '../../router/router.ts';
import classes from './crops.module.css';
import { CycleDialog } from './cycle-dialog.tsx';
import { CompareMenu, Facts, PlaceAndDays } from './cycle-parts.tsx';
import { HarvestDialog } from './harvest-dialog.tsx';
import { StageShares } from './stage-shares.tsx';

const ALL = { device: null, from: null, to: null };
const MINUTE_MS = 60_000;

/** Lists all crop cycles with their results, the latest planted first. */
export function CyclesSection({
  devices,
}: {
  readonly devices: readonly (NamedDevice & { readonly summary: DeviceSummary })[];
}) {
  const { t } = useTranslation('crops');
  const cycles = useCycles();
  const now = useNow(MINUTE_MS);
  const { groups } = useOwnerChoices();
  const journal = useJournal(ALL).data;
  const [editing, setEditing] = useState<Cycle | 'new' | null>(null);
  const [harvesting, setHarvesting] = useState<Cycle | null>(null);
  const sorted = cycles.toSorted((a, b) => b.plantedAt.localeCompare(a.plantedAt) || a.crop.localeCompare(b.crop));
  const today = dayOf(now);
  return (
    <section aria-labelledby="cycles-title" className={classes.section}>
      <SectionHead id="cycles-title" title={t('cycles')}>
        <OwnerOnly>
          <Button
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            disabled={devices.length + groups.length === 0}
            onClick={() => setEditing('new')}
          >
            {t('cycle.add')}
          </Button>
        </OwnerOnly>
      </SectionHead>
      {sorted.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noCycles')}
        </Text>
      ) : (
        <div className={classes.cycles}>
          {sorted.map((cycle) => (
            <CycleCard
              key={cycle.id}
              cycle={cycle}
              now={now}
              sums={sumsOf(cycle, cycles, journal?.entries ?? [], groups)}
              placeName={placeName(cycle, devices, groups) ?? t('gone')}
              links={devicesOf(cycle, groups)}
              device={devices.find(({ id }) => cycle.place.kind === 'device' && cycle.place.device === id)?.summary}
              onEdit={() => setEditing(cycle)}
              onHarvest={() => setHarvesting(cycle)}
            />
          ))}
        </div>
      )}
      {journal?.isCut ? (
        <Text size="xs" c="dimmed">
          {t('cut')}
        </Text>
      ) : null}
      {editing === null ? null : (
        <CycleDialog
          cycle={editing === 'new' ? null : editing}
          last={sorted[0] ?? null}
          today={today}
          devices={devices}
          groups={groups}
          onClose={() => setEditing(null)}
        />
      )}
      {harvesting === null ? null : (
        <HarvestDialog
          cycle={harvesting}
          now={now}
          devices={devices.filter(({ id }) => devicesOf(harvesting, groups).includes(id))}
          onClose={() => setHarvesting(null)}
        />
      )}
    </section>
  );
}

interface CardProps {
  readonly cycle: Cycle;
  readonly now: number;
  readonly sums: ReturnType<typeof sumsOf>;
  readonly placeName: string;
  /** The device, if the place is a single device. */
  readonly device: DeviceSummary | undefined;
  /** The devices of the place. */
  readonly links: readonly string[];
  readonly onEdit: () => void;
  readonly onHarvest: () => void;
}

function CycleCard({ cycle, now, sums, placeName: place, device, links, onEdit, onHarvest }: CardProps) {
  const { t } = useTranslation(['crops', 'journal']);
  const dayText = useDayText();
  const words = useEntryWords();
  const facts = useCycleFacts()(cycle, sums, now);
  const stage = stageAt(cycle, now);
  const name = cycleName(cycle);
  const harvests = sums.entries.filter(({ act }) => act?.kind === 'harvested');
  return (
    <article className={classes.cycle} aria-label={name}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div>
          <Title order={3} size="h5">
            <a href={linkTo({ page: 'crops', cycle: cycle.id })}>{name}</a>
          </Title>
          <Text size="xs" c="dimmed">
            <PlaceAndDays cycle={cycle} place={place} devices={links} />
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <CompareMenu cycle={cycle} size="compact-sm" label={t('besideOf', { name })} />
          <OwnerOnly>
            <Button size="compact-sm" variant="default" aria-label={t('harvest.of', { name })} onClick={onHarvest}>
              {t('harvest.add')}
            </Button>
            <Button size="compact-sm" variant="default" aria-label={t('cycle.changeOf', { name })} onClick={onEdit}>
              {t('cycle.edit')}
            </Button>
          </OwnerOnly>
        </Group>
      </Group>
      {cycle.stages.length === 0 ? null : (
        <ol className={classes.stages} aria-label={t('cycle.stages')}>
          {cycle.stages.map((each) => (
            <li key={each.from} aria-current={each === stage ? 'step' : undefined}>
              <span>{each.name}</span> {dayText(each.from)}
            </li>
          ))}
        </ol>
      )}
      {stage === null || stage.ranges.length === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t('rulesFollow', { stage: stage.name, place })}
        </Text>
      )}
      <Facts facts={facts} className={classes.facts} />
      {device === undefined ? null : <StageShares cycle={cycle} device={device} now={now} />}
      {harvests.length === 0 ? null : (
        <ul className={classes.harvests}>
          {harvests.map((entry) => (
            <li key={entry.id}>
              {dayText(dayOf(entry.at, cycle.zone))}: {words(entry)}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
