import { useTranslation } from 'react-i18next'
import type { ScheduleKind } from '#domain/reports/schedule'
import { useLanguage } from '@/i18n/use-language'

/** Returns how a schedule is called, such as "By mail every Monday". */
export function useScheduleText(): (kind: ScheduleKind, day: number | null) => string {
  const { t } = useTranslation('reports')
  const language = useLanguage()
  return (kind, day) => {
    if (kind === 'none') return t('saved.schedule.none')
    if (kind === 'daily') return t('saved.schedule.daily')
    if (kind === 'monthly') return t('saved.schedule.monthly', { day })
    // 2024 began on a Monday, day 1 of the week.
    const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day ?? 1))
    return t('saved.schedule.weekly', { weekday })
  }
}
