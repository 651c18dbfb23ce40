import i18next from 'i18next'
import type { ListRow } from '#contract/campaign-list'
import { localDay } from '#domain/campaign/content/dates'
import { formatPlainDay } from '@/i18n/format'

type Dates = Pick<ListRow, 'campaign_start_at' | 'campaign_end_at' | 'timezone_offset_seconds'>

/** Start and end: "Nov 10, 2026 – Nov 30, 2026", "from Nov 10, 2026", "until Nov 30, 2026" or "no end date". */
export function datesText({ campaign_start_at: start, campaign_end_at: end, timezone_offset_seconds: zone }: Dates): string {
  const { t } = i18next
  const day = (instant: string) => formatPlainDay(localDay(instant, zone ?? 0))
  if (start !== null && end !== null) return `${day(start)} – ${day(end)}`
  if (start !== null) return t('campaigns:edit.from', { day: day(start) })
  return end === null ? t('campaigns:edit.noEnd') : t('campaigns:edit.until', { day: day(end) })
}
