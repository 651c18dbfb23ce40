import { useTranslation } from 'react-i18next'
import { AUDIENCE_LANGUAGES, CONNECTION_TYPES, DEVICE_TYPES } from '#domain/campaign/content/options'
import type { Part } from './targeting-plan.ts'

/** Returns the name of a value of a part, as the form has it; what is not offered any more keeps its code. */
export function useValueNames(cities: ReadonlyMap<string, string> = new Map()) {
  const { t } = useTranslation(['targeting', 'placement'])
  return (part: Exclude<Part, 'hours'>, value: string): string => {
    const language = AUDIENCE_LANGUAGES.find((name) => name === value)
    const connection = CONNECTION_TYPES.find((name) => name === value)
    const device = Object.values(DEVICE_TYPES).find((name) => name === value)
    if (part === 'cities') return cities.get(value) ?? value
    if (part === 'connections') return connection === undefined ? value : t(`targeting:connection.${connection}`)
    if (part === 'device') return device === undefined ? value : t(`placement:devices.${device}`)
    return language === undefined ? value : t(`targeting:language.${language}`)
  }
}
