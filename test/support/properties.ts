/** Nightly runs take more lives than the gate: `PROPERTY_TIMES` multiplies the runs of every property, and its time limit. */
const TIMES = Number(process.env['PROPERTY_TIMES'] ?? 1)

export const runs = (usual: number): number => Math.ceil(usual * TIMES)

/** Milliseconds. */
export const limit = (usual: number): number => Math.ceil(usual * Math.max(1, TIMES))
