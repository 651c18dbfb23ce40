/** Upper limits of the application's size and response times. */

/** KiB of scripts, gzip, that the first visit of an address loads. */
export const ROUTE_KIB = { sign_in: 170, list: 210, form: 240, moderation: 225 } as const
/**
 * KiB, gzip: what every page of the signed-in frame loads, a further tab of the form, styles, a language, everything there is.
 */
export const PART_KIB = { frame: 190, tab: 35, css: 20, russian: 25, all: 450 } as const

/** Milliseconds, shift score, and MB of heap after fifty changes between list and form. */
export const SPEED = {
  lcp_fast4g_list: 1500,
  lcp_fast4g_form: 1500,
  lcp_slow4g_list: 2500,
  lcp_slow4g_form: 2500,
  lcp_warm_list: 600,
  route_change: 150,
  inp_median: 100,
  inp_max: 200,
  inp_typing_cpu6: 100,
  cls_max: 0.02,
  long_tasks: 0,
  heap_growth_mb: 5,
} as const

/** Network and CPU throttling, as in browser tools. */
export const PROFILES = {
  fast4g: { megabits: 9, latency: 60, cpu: 4 },
  slow4g: { megabits: 1.6, latency: 150, cpu: 4 },
  none: null,
} as const
export type Profile = keyof typeof PROFILES
