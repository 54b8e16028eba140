import type { Family, Sample } from './exposition.ts';

type Labels = Readonly<Record<string, string>>;

/** Counts by labels. Their values must be few and come from the program. */
export class Counter {
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, value = 1): void {
    const key = JSON.stringify(labels);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { labels, value });
    else known.value += value;
  }

  get samples(): Sample[] {
    return [...this.#counts.values()];
  }
}

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations by labels. */
export class Histogram {
  readonly #series = new Map<
    string,
    { readonly labels: Labels; readonly counts: number[]; sum: number; count: number }
  >();

  observe(labels: Labels, seconds: number): void {
    const key = JSON.stringify(labels);
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { labels, counts: BOUNDS.map(() => 0), sum: 0, count: 0 };
      this.#series.set(key, series);
    }
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) series.counts[bucket]! += 1;
    series.sum += seconds;
    series.count += 1;
  }

  get samples(): Sample[] {
    return [...this.#series.values()].flatMap(({ labels, counts, sum, count }) => {
      let below = 0;
      const buckets = BOUNDS.map((bound, index): Sample => {
        below += counts[index]!;
        // The number format of OpenMetrics.
        return {
          suffix: '_bucket',
          labels: { ...labels, le: Number.isInteger(bound) ? `${bound}.0` : `${bound}` },
          value: below,
        };
      });
      return [
        ...buckets,
        { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
        { suffix: '_sum', labels, value: sum },
        { suffix: '_count', labels, value: count },
      ];
    });
  }
}

/** Returns a metric with one value. */
export function gauge(name: string, help: string, value: number, unit?: Family['unit']): Family {
  return { name, type: 'gauge', help, samples: [{ value }], ...(unit && { unit }) };
}
