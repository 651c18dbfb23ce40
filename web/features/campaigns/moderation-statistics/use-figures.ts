import { useTranslation } from 'react-i18next'
import { formatExact, formatShare } from '@/i18n/format'

const HOUR = 60
const DAY = 24 * HOUR
const rounded = (value: number) => formatExact(Math.round(value * 10) / 10)

/** How times and shares are written; a dash for none. */
export function useFigures() {
  const { t } = useTranslation('moderation')
  return {
    duration: (minutes: number | null): string => {
      if (minutes === null) return '–'
      if (minutes < 2 * HOUR) return t('statistics.minutes', { value: rounded(minutes) })
      if (minutes < 2 * DAY) return t('statistics.hours', { value: rounded(minutes / HOUR) })
      return t('statistics.days', { value: rounded(minutes / DAY) })
    },
    share: (part: number | null): string => (part === null ? '–' : formatShare(part * 100)),
  }
}
