import { useTranslation } from 'react-i18next'
import { formatCount, formatExact } from '@/i18n/format'
import '@/i18n/texts/controls'

/** Returns a formatter for file sizes in bytes. */
export function useFileSize() {
  const { t } = useTranslation('controls')
  return (bytes: number) =>
    bytes < 1_048_576
      ? t('fileSize.kilobytes', { size: formatCount(Math.ceil(bytes / 1024)) })
      : t('fileSize.megabytes', { size: formatExact(Math.round((bytes / 1_048_576) * 100) / 100) })
}
