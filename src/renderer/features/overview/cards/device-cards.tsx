import { useVirtualizer } from '@tanstack/react-virtual';
import type { CSSProperties } from 'react';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { NodeProvider } from '../../../api/node-connection.ts';
import { focusNextDevice } from '../../../components/browser/focus.ts';
import { type ListedDevice, listKey } from '../../../devices/listed.ts';
import { useListPlace } from '../use-list-place.ts';
import { cardLayout, GAP } from './card-layout.ts';
import { DeviceCard } from './device-card.tsx';
import classes from './device-cards.module.css';

/** The estimated height of a card that is not drawn yet, in px. */
const USUAL_HEIGHT = 240;

interface Props {
  readonly devices: readonly ListedDevice[];
  /** In the owner's order. The first fields are large. */
  readonly fields: readonly FieldName[];
  readonly label: string;
  /** The number of devices on the page. It determines the layout, so that all groups look alike. */
  readonly of: number;
  /** The names of the devices' groups, by device id, to show on the cards. */
  readonly places?: ReadonlyMap<string, string>;
}

/** Lists devices as cards. Only visible cards are rendered. */
export function DeviceCards({ devices, fields, label, of, places }: Props) {
  const { list, scrollArea, margin, width, textScale, isNear } = useListPlace();
  const { columns, isRoomy } = cardLayout(of, width, textScale);
  const virtualizer = useVirtualizer({
    count: Math.ceil(devices.length / columns),
    getScrollElement: () => scrollArea,
    estimateSize: () => USUAL_HEIGHT,
    gap: GAP,
    scrollMargin: margin,
    overscan: 2,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: rows of cards lie where they are put, which an <ul> has no element for
    <div ref={list}>
      <div
        role="list"
        className={classes.cards}
        aria-label={label}
        style={{ height: virtualizer.getTotalSize(), '--columns': columns } as CSSProperties}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          if (!(event.target instanceof HTMLAnchorElement)) return;
          event.preventDefault();
          focusNextDevice(event.key === 'ArrowDown' ? 1 : -1);
        }}
      >
        {(isNear ? virtualizer.getVirtualItems() : []).map(({ index, start }) => (
          <div
            key={index}
            role="none"
            ref={virtualizer.measureElement}
            data-index={index}
            className={classes.row}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            {devices.slice(index * columns, (index + 1) * columns).map((device) => (
              <NodeProvider key={listKey(device)} value={device.node}>
                <div role="listitem">
                  <DeviceCard device={device} fields={fields} isRoomy={isRoomy} place={places?.get(device.id)} />
                </div>
              </NodeProvider>
            ))}
          </div>
        ))}
      </div>
    </div>
    // biome-ignore-end lint/a11y/useSemanticElements: see above
  );
}
