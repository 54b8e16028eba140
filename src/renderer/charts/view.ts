/** A span of time in Unix milliseconds; `from` is before `to`. */
export interface View {
  readonly from: number;
  readonly to: number;
}
