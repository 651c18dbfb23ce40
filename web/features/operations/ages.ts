import i18next from 'i18next'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** A duration in the largest unit that fits, such as "5 min" or "2 hr". */
export function formatSeconds(seconds: number): string {
  const [unit, size] =
    seconds >= DAY
      ? (['day', DAY] as const)
      : seconds >= HOUR
        ? (['hour', HOUR] as const)
        : seconds >= MINUTE
          ? (['minute', MINUTE] as const)
          : (['second', 1] as const)
  const format = new Intl.NumberFormat(i18next.language, { style: 'unit', unit, unitDisplay: 'short' })
  return format.format(Math.floor(seconds / size))
}
