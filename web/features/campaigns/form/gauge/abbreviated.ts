import type { Language } from '@/i18n/setup'

/** A number of people as a gauge shows it; below a thousand it does not say more than that. */
export function abbreviated(people: number, language: Language): string {
  const locale = language === 'ru' ? 'ru-RU' : 'en-US'
  if (people < 1000) return `<${new Intl.NumberFormat(locale).format(1000).replaceAll(' ', ' ')}`
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(people)
}
