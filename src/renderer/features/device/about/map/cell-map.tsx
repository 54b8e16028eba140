import { ActionIcon, Group, Text } from '@mantine/core';
import { geoGraticule10, geoPath } from 'd3-geo';
import { cellArea, UNITS } from 'h3-js';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import worldJson from 'world-atlas/countries-110m.json';
import { Icon } from '../../../../components/icon.tsx';
import { useFormat } from '../../../../format/format.ts';
import classes from './cell-map.module.css';
import { MAP, mapView, zoomLevels } from './cell-map-geometry.ts';

const world = worldJson as unknown as Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
const land = feature(world, world.objects.land);
const borders = mesh(world, world.objects.countries, (a, b) => a !== b);

/**
 * Shows a cell on a map that is part of the program. No tiles are requested, so no server learns the device's location.
 */
export default function CellMap({ index, name }: { index: string; name: string }) {
  const { t } = useTranslation('device');
  const format = useFormat();
  const levels = useMemo(() => zoomLevels(index), [index]);
  const [level, setLevel] = useState(0);
  const at = Math.min(level, levels.length - 1);
  const view = useMemo(() => mapView(index, levels[at]!), [index, levels, at]);
  const path = geoPath(view.projection);
  const length = (metres: number): string =>
    metres >= 1000 ? `${format.rounded(metres / 1000, 0)} km` : `${format.rounded(metres, 2)} m`;
  const area = cellArea(index, UNITS.m2);
  const areaText = area >= 100_000 ? `${format.rounded(area / 1e6, 2)} km²` : `${format.rounded(area, 1)} m²`;
  return (
    <div>
      <div className={classes.frame}>
        <svg
          className={classes.map}
          viewBox={`0 0 ${MAP.width} ${MAP.height}`}
          role="img"
          aria-label={t('location.mapOf', { name })}
        >
          {view.showsLand ? (
            <>
              {at === 0 ? <path className={classes.sea} d={path({ type: 'Sphere' }) ?? ''} /> : null}
              <path className={classes.graticule} d={path(geoGraticule10()) ?? ''} />
              <path className={classes.land} d={path(land) ?? ''} />
              <path className={classes.border} d={path(borders) ?? ''} />
            </>
          ) : null}
          {view.neighbours.map((outline) => (
            <path key={outline} className={classes.neighbour} d={outline} />
          ))}
          <path className={classes.cell} d={view.cell} />
          {view.mark === null ? null : (
            <>
              <circle className={classes.ring} cx={view.mark[0]} cy={view.mark[1]} r={9} />
              <circle className={classes.mark} cx={view.mark[0]} cy={view.mark[1]} r={3.5} />
            </>
          )}
          {view.bar === null ? null : (
            <g transform={`translate(14 ${MAP.height - 14})`}>
              <path className={classes.bar} d={`M0,-5V0H${view.bar.px.toFixed(1)}V-5`} />
              <text className={classes.barText} x={4} y={-8}>
                {length(view.bar.metres)}
              </text>
            </g>
          )}
        </svg>
        <Group gap={4} className={classes.zoom ?? ''}>
          <ActionIcon
            variant="default"
            aria-label={t('location.zoomOut')}
            disabled={at === 0}
            onClick={() => setLevel(at - 1)}
          >
            <Icon name="minus" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t('location.zoomIn')}
            disabled={at === levels.length - 1}
            onClick={() => setLevel(at + 1)}
          >
            <Icon name="plus" />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t('location.toCell')}
            disabled={at === levels.length - 1}
            onClick={() => setLevel(levels.length - 1)}
          >
            <Icon name="map-pin" size={14} />
          </ActionIcon>
        </Group>
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {t('location.area', { area: areaText })} {view.showsLand ? null : t('location.noCoast')}
      </Text>
    </div>
  );
}
