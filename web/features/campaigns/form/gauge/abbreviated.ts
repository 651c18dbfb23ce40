import type { Language } from '@/i18n/setup'

/** Formats a number of people for a gauge. Values below a thousand are shown as "<1,000". */
export function abbreviated(people: number, language: Language): string {
  const locale = language === 'ru' ? 'ru-RU' : 'en-US'
  if (people < 1000) return `<${new Intl.NumberFormat(locale).format(1000).replaceAll(' ', ' ')}`
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(people)
}
