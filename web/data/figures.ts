/** Interval between reads of figures on a visible page, milliseconds. Delivery arrives without a change of any campaign. */
export const FIGURES_MS = 15_000
