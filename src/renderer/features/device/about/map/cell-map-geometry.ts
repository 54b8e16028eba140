import { type GeoProjection, geoArea, geoAzimuthalEqualArea, geoNaturalEarth1, geoPath } from 'd3-geo';
import { cellToBoundary, cellToLatLng, gridDisk } from 'h3-js';

/** The size of the map's coordinate system. The SVG scales to its container. */
export const MAP = { width: 560, height: 300 } as const;

const EARTH_M = 6_371_007;
/** The coasts of the 1:110m data are off by tens of kilometres, so closer views do not draw them. */
const NEAREST_COAST_M = 60_000;

/** Cells with a larger radius, in metres, are drawn as regions of a sphere instead of a plane. */
const LARGE_CELL_M = 50_000;

/** A place on the map, [longitude, latitude] in degrees. */
type Point = readonly [longitude: number, latitude: number];

/**
 * Returns the zoom levels from the whole world (0) to the cell, each as half of the visible height in metres. Each
 * level shows a quarter of the previous one.
 */
export function zoomLevels(index: string): number[] {
  const radius = cellRadius(index);
  const levels = [0];
  for (let half = 6_000_000; half > radius * 3.2; half /= 4) levels.push(half);
  levels.push(radius * 2.4);
  return levels;
}

/** Returns the distance from a cell's centre to its farthest corner, in metres. */
function cellRadius(index: string): number {
  const [latitude, longitude] = cellToLatLng(index);
  return Math.max(...cellToBoundary(index).map(([lat, lng]) => distance([longitude, latitude], [lng, lat])));
}

function distance([aLongitude, aLatitude]: Point, [bLongitude, bLatitude]: Point): number {
  const radians = Math.PI / 180;
  const half = (a: number, b: number) => Math.sin(((b - a) * radians) / 2) ** 2;
  const h =
    half(aLatitude, bLatitude) +
    Math.cos(aLatitude * radians) * Math.cos(bLatitude * radians) * half(aLongitude, bLongitude);
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The drawing of one zoom level: the land, if it is drawn, and the cells, as SVG paths. */
export interface MapView {
  readonly projection: GeoProjection;
  readonly showsLand: boolean;
  /** The device's cell. */
  readonly cell: string;
  /** The centre of a cell that is too small to see, for a marker; null if the cell is visible. */
  readonly mark: readonly [x: number, y: number] | null;
  /** Neighbouring cells of the same size; empty if they are too small to see. */
  readonly neighbours: readonly string[];
  /** A round distance and its length on the map, for a scale bar; null for the whole world. */
  readonly bar: { readonly metres: number; readonly px: number } | null;
}

/** Returns the drawing of a zoom level. `halfM` is half of the visible height in metres; 0 shows the world. */
export function mapView(index: string, halfM: number): MapView {
  const [latitude, longitude] = cellToLatLng(index);
  const { width, height } = MAP;
  const projection =
    halfM === 0
      ? geoNaturalEarth1().fitExtent(
          [
            [6, 6],
            [width - 6, height - 6],
          ],
          { type: 'Sphere' },
        )
      : geoAzimuthalEqualArea()
          .rotate([-longitude, -latitude])
          .scale((height / 2) * (EARTH_M / halfM))
          .translate([width / 2, height / 2])
          .clipAngle(110)
          .clipExtent([
            [-10, -10],
            [width + 10, height + 10],
          ]);
  const pxPerM = halfM === 0 ? 0 : height / 2 / halfM;
  const radius = cellRadius(index);
  const isSmall = radius * (pxPerM || height / 2 / 10_000_000) < 4;
  const shownCells = halfM > 0 && radius * pxPerM > 10;
  return {
    projection,
    showsLand: halfM === 0 || halfM > NEAREST_COAST_M,
    cell: radius > LARGE_CELL_M ? region(index, projection) : outline(index, projection),
    mark: isSmall ? projection([longitude, latitude]) : null,
    neighbours: shownCells
      ? gridDisk(index, 4)
          .filter((each) => each !== index)
          .map((each) => outline(each, projection))
      : [],
    bar: halfM === 0 ? null : scaleBar(pxPerM),
  };
}

/** Returns the path of a large cell as a region of the sphere. It may cross the map's edge or contain a pole. */
function region(index: string, projection: GeoProjection): string {
  const ring = cellToBoundary(index, true);
  const polygon = { type: 'Polygon' as const, coordinates: [ring] };
  // On a sphere, the direction of a ring decides which side is inside. d3 and GeoJSON use opposite directions.
  if (geoArea(polygon) > 2 * Math.PI) polygon.coordinates = [ring.toReversed()];
  return geoPath(projection)(polygon) ?? '';
}

/**
 * Returns the outline of a cell as straight lines between its projected corners. d3's spherical clipping is made for
 * shapes the size of countries and fails for a cell of a few metres.
 */
function outline(index: string, projection: GeoProjection): string {
  const corners = cellToBoundary(index).map(([latitude, longitude]) => projection([longitude, latitude]));
  if (corners.some((corner) => corner === null)) return '';
  return `M${corners.map((corner) => corner!.map((value) => value.toFixed(2)).join(',')).join('L')}Z`;
}

/** Returns a distance of 1, 2 or 5 times a power of ten that is at most a fifth of the map's width. */
function scaleBar(pxPerM: number): { metres: number; px: number } {
  const most = MAP.width / 5 / pxPerM;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = power * ([5, 2].find((step) => step * power <= most) ?? 1);
  return { metres, px: metres * pxPerM };
}
