import type { FieldName } from '../protocol/fields.ts';
import type { RangeRule } from './rule.ts';

/** The sources of the ranges. docs/alerts.md names the source of each number. */
export const PRESET_SOURCES = {
  oklahoma: {
    title: 'Oklahoma State University Extension: Electrical Conductivity and pH Guide for Hydroponics',
    url: 'https://extension.okstate.edu/fact-sheets/electrical-conductivity-and-ph-guide-for-hydroponics.html',
  },
  cornell: {
    title: 'Cornell Controlled Environment Agriculture: Hydroponic Lettuce Handbook',
    url: 'https://studylib.net/doc/18396704/hydroponic-lettuce-handbook---cornell-controlled-environment',
  },
  foods: {
    title: 'Foods 2022, 11, 1327, table 1: parameters for basil, lettuce and others',
    url: 'https://pmc.ncbi.nlm.nih.gov/articles/PMC9103178/table/foods-11-01327-t001',
  },
  arizonaStrawberries: {
    title: 'University of Arizona: Hydroponic Strawberry Irrigation',
    url: 'https://cales.arizona.edu/strawberry/Hydroponic_Strawberry_Information_Website/Irrigation.html',
  },
  arizonaTomatoes: {
    title: 'University of Arizona: Growing Hydroponic Tomatoes',
    url: 'https://cales.arizona.edu/hydroponictomatoes/system.htm',
  },
  cannabisReview: {
    title: 'Jin, Jin, Chen 2019: Cannabis Indoor Growing Conditions, a review',
    url: 'https://file.scirp.org/Html/5-2604131_93052.htm',
  },
} as const;
export type PresetSource = keyof typeof PRESET_SOURCES;

/** A range of one field in the reference firmware's unit: EC as dissolved solids, 500 ppm per mS/cm. */
export interface PresetRange extends Pick<RangeRule, 'field' | 'low' | 'high' | 'margin' | 'forMinutes'> {
  readonly source: PresetSource;
}

const PPM_PER_MS = 500;

type Range = (low: number | null, high: number, source: PresetSource) => PresetRange;

/** The margin and the time of a field's ranges. Air temperature changes quickly; the pH of a tank does not. */
const rangeOf =
  (field: FieldName, margin: number, forMinutes: number): Range =>
  (low, high, source) => ({ field, low, high, margin, forMinutes, source });

const ph = rangeOf('ph', 0.1, 15);
const water = rangeOf('tempWater', 0.5, 30);
const air = rangeOf('tempAmbient', 1, 30);
const humidity = rangeOf('humidity', 3, 60);
/** In mS/cm, as in all publications. */
const ec: Range = (low, high, source) =>
  rangeOf('ec', 25, 30)(low === null ? null : Math.round(low * PPM_PER_MS), Math.round(high * PPM_PER_MS), source);

/**
 * The usual ranges of a crop as a start: each becomes a rule that the owner may change. There is no range for the water
 * level, because it is a distance in a tank. The page's texts have the names of the crops.
 */
export const PRESETS = {
  lettuce: [
    ph(5.6, 6.5, 'foods'),
    ec(1.2, 2, 'foods'),
    water(16, 25, 'cornell'),
    air(16, 27, 'cornell'),
    humidity(50, 80, 'cornell'),
  ],
  tomato: [ph(5.5, 6.5, 'oklahoma'), ec(2, 4, 'oklahoma'), air(15, 29, 'arizonaTomatoes')],
  basil: [
    ph(5.5, 6.5, 'oklahoma'),
    ec(1, 1.6, 'oklahoma'),
    water(18, 25, 'foods'),
    air(16, 27, 'foods'),
    humidity(45, 75, 'foods'),
  ],
  strawberry: [ph(5.5, 6, 'arizonaStrawberries'), ec(null, 1.2, 'arizonaStrawberries')],
  cannabis: [
    ph(5.5, 6.5, 'oklahoma'),
    ec(1, 2.5, 'oklahoma'),
    air(20, 30, 'cannabisReview'),
    humidity(40, 75, 'cannabisReview'),
  ],
  generic: [ph(5.5, 6.5, 'oklahoma'), ec(1, 2.5, 'oklahoma'), water(16, 25, 'cornell')],
} as const satisfies Record<string, readonly PresetRange[]>;
export type Crop = keyof typeof PRESETS;
export const CROPS = Object.keys(PRESETS) as Crop[];
